#include <protozero/pbf_reader.hpp>
#include <set>

#include "image_test_data.h"
#include "import/protobuf.h"
#include "matrix.h"
#include "onnx_test_data.h"

namespace bitexact::test {
namespace {

using protobuf::Field;
using protobuf::Reader;
using protobuf::Wire;
using protozero::pbf_reader;

struct Seed {
  const char* file;
  int mutations;
};
constexpr Seed kSeeds[] = {{"onnx-mnist-8/model.onnx", 98500},
                           {"npm-blazeface-onnx/face_detection_front_128x128_barracuda.onnx", 1000},
                           {"ultraface-onnx/version-RFB-320_simplified.onnx", 500}};

/// The seeds that are there, by name.
std::vector<std::pair<Seed, ByteVector>> seeds() {
  std::vector<std::pair<Seed, ByteVector>> out;
  for (const Seed& seed : kSeeds) {
    const auto path = shared_folder() / "models" / seed.file;
    if (std::filesystem::exists(path)) {
      out.emplace_back(seed, read_file(path));
    } else {
      std::cout << "absent: " << path << "\n";
    }
  }
  return out;
}

pbf_reader reader_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Whether a graph was read that holds no more than its file could, or a reason was given.
bool sound(const Result<onnx::Graph>& graph, size_t file_size) {
  if (!graph.ok()) {
    const Code code = graph.status().code;
    return !graph.status().why.empty() &&
           (code == Code::malformed || code == Code::unsupported || code == Code::argument || code == Code::too_large);
  }
  size_t bytes = 0;
  for (const auto& [name, tensor] : graph->initializers) bytes += tensor.bytes.size() + 8 * tensor.dims.size();
  return bytes <= 8 * file_size;
}

TEST(OnnxRobustness, EveryPrefixIsMalformed) {
  for (const auto& [seed, file] : seeds()) {
    ASSERT_TRUE(onnx::read_graph(file, {}).ok()) << seed.file << onnx::read_graph(file, {}).status().text();
    size_t read = 0;
    for (size_t n = 0; n < file.size(); ++n) read += survive(std::span(file).first(n)).ok();
    // Only a prefix that ends between two fields of ModelProto, after the graph, is a file of its own.
    EXPECT_LE(read, 1u) << seed.file;
  }
}

/// The graph cut off at every byte, in a model that is whole around it; in blocks of their own, for the sanitiser.
TEST(OnnxRobustness, EveryPrefixOfTheGraphIsRefusedOrSound) {
  Parts parts{{node("Add", {"x", "w"}, {"a"}, {attribute("i", 7, 8, "\1\2")}, "n"), node("Relu", {"a"}, {"y"})},
              {raw_tensor("w", 1, {2}, "abcdefgh"), with(tensor_head("v", 7, {2}), 7, "\1\2")}};
  std::vector<Message> graphs{graph_proto(parts)};
  for (const auto& [seed, file] : seeds()) {
    pbf_reader m = reader_of(file);
    if (file.size() < 100000 && m.next(7)) graphs.push_back(m.get_bytes());
  }
  for (const Message& graph : graphs) {
    for (size_t n = 0; n < graph.size(); ++n) {
      const Message cut = model_of(graph.substr(0, n));
      ASSERT_TRUE(sound(read(cut), cut.size())) << n;
    }
  }
}

/// Positions of a file that say how it is built: everything but long payloads.
void structure(pbf_reader m, const char* file, int level, std::vector<size_t>& at) {
  while (true) {
    const char* begin = m.data().data();
    if (!m.next()) return;
    const auto tag = m.tag();
    const bool is_bytes = m.wire_type() == protozero::pbf_wire_type::length_delimited;
    const protozero::data_view payload = is_bytes ? m.get_view() : protozero::data_view{};
    if (!is_bytes) m.skip();
    const char* end = is_bytes && payload.size() > 64 ? payload.data() : m.data().data();
    for (; begin != end; ++begin) at.push_back(static_cast<size_t>(begin - file));
    const bool is_message = level == 0 ? tag == 7 : level == 1 && (tag == 1 || tag == 5 || tag == 11);
    if (payload.size() > 64 && is_message) structure(pbf_reader(payload), file, level + 1, at);
  }
}

/// Also lengths and tags: half of the changes are where they do most.
void mutate(ByteVector& file, const std::vector<size_t>& structure, SplitMix64& random) {
  for (size_t changes = 1 + random.below(4); changes > 0 && !file.empty(); --changes) {
    const size_t guess = random.below(2) ? structure[random.below(structure.size())] : random.below(file.size());
    const size_t at = std::min(guess, file.size() - 1);
    const auto here = file.begin() + static_cast<std::ptrdiff_t>(at);
    switch (random.below(8)) {
      case 0:
        file.erase(here, here + static_cast<std::ptrdiff_t>(std::min<size_t>(1 + random.below(8), file.size() - at)));
        break;
      case 1:
        file.insert(here, 1 + random.below(8), static_cast<std::byte>(random.next() & 255));
        break;
      case 2:
        file[at] = std::byte{random.below(2) ? uint8_t{0xff} : uint8_t{0}};
        break;
      case 3:
      case 4:
        file[at] = static_cast<std::byte>(random.next() & 255);
        break;
      default:
        file[at] ^= static_cast<std::byte>(1u << random.below(8));
        break;
    }
  }
}

TEST(OnnxRobustness, AHundredThousandMutationsAreRefusedOrPrepared) {
  SplitMix64 random(2026);
  for (const auto& [seed, original] : seeds()) {
    std::vector<size_t> where;
    structure(reader_of(original), reinterpret_cast<const char*>(original.data()), 0, where);
    int read = 0, prepared = 0;
    for (int i = 0; i < seed.mutations; ++i) {
      ByteVector file = original;
      mutate(file, where, random);
      file.shrink_to_fit();
      const auto graph = onnx::read_graph(file, {});
      read += graph.ok();
      ASSERT_TRUE(sound(graph, file.size())) << seed.file << " mutation " << i << ": " << graph.status().text();
      const Status s = survive(file);
      ASSERT_TRUE(s.ok() || says_where(s)) << seed.file << " mutation " << i << ": " << s.text();
      prepared += s.ok();
    }
    std::cout << seed.file << ": " << read << " read, " << prepared << " prepared of " << seed.mutations << "\n";
  }
}

/// What protozero reads, as text; nothing where it throws.
std::optional<std::string> walk_protozero(std::span<const std::byte> bytes) try {
  std::string out;
  pbf_reader m = reader_of(bytes);
  while (m.next()) {
    out += std::to_string(m.tag()) + ':';
    if (m.wire_type() == protozero::pbf_wire_type::varint)
      out += std::to_string(m.get_uint64());
    else if (m.wire_type() == protozero::pbf_wire_type::fixed64)
      out += std::to_string(m.get_fixed64());
    else if (m.wire_type() == protozero::pbf_wire_type::fixed32)
      out += std::to_string(m.get_fixed32());
    else
      out += m.get_string();
    out += ';';
  }
  return out;
} catch (const protozero::exception&) {
  return std::nullopt;
}

std::optional<std::string> walk_ours(std::span<const std::byte> bytes) {
  std::string out;
  Reader r({bytes, 0}, "Test");
  for (Field f; r.next(f);)
    out += std::to_string(f.number) + ':' + (f.wire == Wire::bytes ? r.text(f) : std::to_string(f.value)) + ';';
  return r.status().ok() ? std::optional(out) : std::nullopt;
}

/// protozero keeps the low 32 bits of tags and lengths, and refuses some reserved numbers: there we may differ.
bool is_ordinary(std::span<const std::byte> bytes) {
  Reader r({bytes, 0}, "Test");
  for (Field f; r.next(f);)
    if (f.number >= 19000 && f.number <= 19999) return false;
  const std::string why = r.status().why;
  return why.find("no field begins") == why.npos && why.find("bytes where") == why.npos;
}

TEST(OnnxRobustness, TheWireFormatIsReadAsProtozeroReadsIt) {
  const Message seed =
      with(with_number(with(with_number({}, 1, -1), 2, "text"), 300, 1 << 20), 3, std::string(200, 'a'));
  SplitMix64 random(5);
  int read = 0, refused = 0, differ = 0;
  for (int i = 0; i < 60000; ++i) {
    Message m = seed;
    pbf_writer(m).add_double(5, 1.5);
    pbf_writer(m).add_float(6, 2.5f);
    if (i % 3 == 0) m.resize(random.below(m.size()));
    for (size_t n = random.below(4); n > 0 && !m.empty(); --n)
      m[random.below(m.size())] = static_cast<char>(random.next() & 255);
    if (i % 3 == 1)
      for (char& c : m = m.substr(0, 1 + random.below(24))) c = static_cast<char>(random.next() & 255);
    const auto theirs = walk_protozero(bytes_of(m)), ours = walk_ours(bytes_of(m));
    ++(ours ? read : refused);
    if (is_ordinary(bytes_of(m)))
      EXPECT_EQ(ours, theirs) << i;
    else
      differ += ours != theirs;
  }
  std::cout << read << " read, " << refused << " refused, " << differ << " refused by one alone\n";
  EXPECT_LT(differ, 600);
}

/// Reads every file below a folder and counts what becomes of them.
template <class Read>
void read_all(const std::filesystem::path& folder, const std::string& extension, Read read_one) {
  size_t read = 0;
  std::map<std::string, size_t> refused;
  for (const auto& path : files_below(folder)) {
    if (path.extension() != extension || path.stem() == "LICENSE") continue;
    const Status status = read_one(read_file(path));
    read += status.ok();
    if (!status.ok()) ++refused[status.why.substr(0, 60)];
    EXPECT_TRUE(status.ok() || status.code == Code::unsupported) << path << ": " << status.text();
  }
  std::cout << folder << " " << extension << ": " << read << " read\n";
  for (const auto& [why, count] : refused) std::cout << "  " << count << " refused: " << why << "\n";
}

TEST(OnnxRobustness, EverySharedModelIsReadOrUnsupported) {
  for (const char* folder : {"conformance/onnx-node", "models"}) {
    SKIP_WITHOUT(shared_folder() / folder);
    read_all(shared_folder() / folder, ".onnx", [](const ByteVector& file) {
      EXPECT_TRUE(onnx::looks_like_onnx(file));
      return onnx::read_graph(file, {}).status();
    });
  }
  read_all(shared_folder() / "conformance/onnx-node", ".pb",
           [](const ByteVector& file) { return onnx::read_tensor(file).status(); });
}

}  // namespace
}  // namespace bitexact::test
