# What find_package(bitexact) finds: the headers, bitexact::fx (the certifiable part) and bitexact::bitexact (all of the core).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/bitexact)
install(DIRECTORY core/include/bitexact DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS bitexact_fx bitexact_core EXPORT bitexact ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT bitexact NAMESPACE bitexact:: FILE bitexactTargets.cmake DESTINATION ${package_dir})
if(TARGET bitexact_app)
  install(TARGETS bitexact_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

configure_package_config_file(cmake/bitexactConfig.cmake.in ${PROJECT_BINARY_DIR}/bitexactConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/bitexactConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/bitexactConfig.cmake ${PROJECT_BINARY_DIR}/bitexactConfigVersion.cmake
        DESTINATION ${package_dir})
