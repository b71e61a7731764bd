"""Models and their inputs in one folder, with a list of cases for each set, which every platform runs: the digits of
models/, and of third-party models those that even an emulator runs soon (`small`) and the others (`large`).
bitexact-models/1: {"cases":[{"name","model","requant","image"?,"inputs":[file]}]}; a file's ending says what it holds."""
import json
import pathlib
import shutil
import struct
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "models"))
import check  # noqa: E402  reads ONNX

BOTH = ("tflm", "xnnpack")
UNIT = ("tflm",)  # of real numbers: nothing is requantized
MOST = 4  # of the inputs that one file holds
# Folder, model, and the rules to run it with.
SMALL = (("tinymaix-mnist", "mnist_valid_q", BOTH), ("tinymaix-mnist", "mnist_resnet_q", BOTH),
         ("tinymaix-mnist", "mnist_dw_q", BOTH), ("tinymaix-mnist", "mnist_valid_f", UNIT),
         ("tiny-resnet8-cifar10", "pretrainedResnet_quant", BOTH), ("tiny-resnet8-cifar10", "pretrainedResnet", UNIT),
         ("tiny-vww-mobilenetv1-025-96", "vww_96_int8", BOTH))
LARGE = (("coral-mobilenetv2-224-u8", "mobilenet_v2_1.0_224_quant", BOTH), ("coral-tf2-mobilenetv2-224-ptq", "tf2_mobilenet_v2_1.0_224_ptq", BOTH),
         ("mp-face-detection-short", "face_detection_short_range", UNIT), ("npm-blazeface-onnx", "face_detection_front_128x128_barracuda", UNIT),
         ("ultraface-onnx", "version-RFB-320", UNIT), ("ultraface-onnx", "version-RFB-320_simplified", UNIT))


class Set:
    """Cases of one list, and the files they name."""

    def __init__(self, folder):
        self.folder, self.cases = folder, []

    def file(self, name, source):
        """A file's bytes, or a copy of a file."""
        (self.folder / name).write_bytes(source if isinstance(source, bytes) else source.read_bytes())
        return name

    def add(self, name, model, rules, inputs, **image):
        for requant in rules:
            title = f"{name} {requant}" if len(rules) > 1 else name
            self.cases.append({"name": title, "model": model, "requant": requant, "inputs": inputs, **image})


def digits(folder):
    mine = Set(folder)
    for net, rules in (("lenet5", UNIT), ("lenet5-int8", BOTH)):
        model = mine.file(f"{net}.onnx", ROOT / "models" / f"{net}.onnx")
        for digit in range(10):
            image = mine.file(f"{digit}.png", ROOT / "models" / "samples" / f"{digit}.png")
            mine.add(f"{net} {digit}", model, rules, [image], image="mnist")
    return mine


def inputs_of(golden):
    """The first input of a golden file; of one that holds many the first few."""
    given = json.loads(golden.read_text())["inputs"][0]
    data = (golden.parent / given["file"]).read_bytes()
    many = int(given["shape"].split(" x ")[0]) if " x " in given["shape"] else 1
    size = len(data) // many
    return pathlib.Path(given["file"]).suffix, [data[i * size:(i + 1) * size] for i in range(min(many, MOST))]


def add_goldens(mine, source, net, rules):
    path = next(p for p in source.iterdir() if p.stem == net)
    model = mine.file(path.name, path)
    for golden in sorted((source / "golden").glob("*.json")):
        if json.loads(golden.read_text())["model"] == path.name:
            ending, inputs = inputs_of(golden)
            for i, data in enumerate(inputs):
                title = f"{net}-{golden.stem.split('.')[-1]}-{i}"
                mine.add(title, model, rules, [mine.file(title + ending, data)])


def add_onnx_tests(mine, source, name):
    """The inputs of ONNX's own test data, as floats by themselves."""
    model = mine.file(f"{name}.onnx", source / "model.onnx")
    for folder in sorted(source.glob("test_data_set_*")):
        fields = check.message((folder / "input_0.pb").read_bytes())
        floats = fields[9][0] if 9 in fields else b"".join(x if isinstance(x, bytes) else struct.pack("<f", x) for x in fields[4])
        mine.add(f"{name} {folder.name[-1]}", model, UNIT, [mine.file(f"{name}-{folder.name[-1]}.f32", floats)])


def add_person(mine, source):
    model = mine.file("person_detect.tflite", source / "person_detect.tflite")
    for name in ("person", "no_person"):
        mine.add(name, model, UNIT, [mine.file(f"{name}.bmp", source / f"{name}.bmp")], image={"values": "reinterpret", "resize": "none"})


def gather_models(folder, shared):
    """Writes the sets into the folder; their names."""
    folder.mkdir(parents=True)
    sets = {"digits": digits(folder)}
    models = shared / "models"
    if models.is_dir():
        sets |= {"small": Set(folder), "large": Set(folder)}
        for name, goldens in (("small", SMALL), ("large", LARGE)):
            for source, *rest in goldens:
                add_goldens(sets[name], models / source, *rest)
        add_onnx_tests(sets["small"], models / "onnx-mnist-8", "mnist-8")
        add_person(sets["small"], models / "tflm-person-detect")
        add_onnx_tests(sets["large"], models / "onnx-super-resolution-10", "super-resolution")
    else:
        print(f"SKIPPED: third-party models: none in {models}", file=sys.stderr)
    for name, those in sets.items():
        text = json.dumps({"schema": "bitexact-models/1", "cases": those.cases})
        (folder / f"{name}.json").write_text(text)
    (folder / "index.json").write_text(json.dumps(list(sets)))
    return [folder / f"{name}.json" for name in sets]
