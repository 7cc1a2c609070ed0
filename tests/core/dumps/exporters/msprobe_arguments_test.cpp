#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/files/atomic_file.h"
#include "core/dumps/exporters/dump_exporter.h"
#include "core/dumps/importers/importer.h"
#include "core/dumps/msprobe/json_tree.h"
#include "tests/support/data/fixture_case.h"
#include "tests/support/data/tensor_unit.h"
#include "tests/support/machine/temp_dir.h"

/// What msprobe's dump.json says of arguments that are no tensors, and of requires_grad.
namespace ulp::dumps {
namespace {

namespace fs = std::filesystem;
using msprobe::JsonKind;
using msprobe::JsonNode;
using msprobe::JsonTree;
using testing::HasSubstr;

/// "input_args.2 = {"type": "int", "value": 8}", "output.0: requires_grad = true".
void addLines(const JsonTree& tree,
              const JsonNode& node,
              const std::string& path,
              std::set<std::string>& lines) {
  const bool isContainer = node.kind == JsonKind::Object || node.kind == JsonKind::List;
  const JsonNode* const type = tree.find(node, "type");
  if (type != nullptr && tree.find(node, "dtype") != nullptr) {
    const JsonNode* const grad = tree.find(node, "requires_grad");
    lines.insert(path + ": requires_grad = " +
                 (grad != nullptr ? jsonText(tree, *grad) : std::string("not said")));
    return;
  }
  if (type != nullptr || !isContainer || node.childCount == 0) {
    lines.insert(path + " = " + jsonText(tree, node));
    return;
  }
  std::size_t number = 0;
  for (std::uint32_t child = node.firstChild; child != msprobe::kNoNode; child = tree[child].next) {
    const std::string key =
        node.kind == JsonKind::Object ? std::string(tree[child].key) : std::to_string(number++);
    // A mark of the call that is neither a tensor nor an argument.
    if (key != "is_recompute") {
      addLines(tree, tree[child], path + "." + key, lines);
    }
  }
}

/// By entry.
std::map<std::string, std::set<std::string>> argumentsOf(const fs::path& file) {
  std::map<std::string, std::set<std::string>> entries;
  const auto end = msprobe::streamMembers(
      file, "data", [&](bool isInside, std::string_view key, const JsonTree& value) {
        if (isInside) {
          addLines(value, value.root(), "", entries[std::string(key)]);
        }
        return true;
      });
  EXPECT_TRUE(end && end->problem.empty()) << file;
  return entries;
}

fs::path dumpJsonBelow(const fs::path& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().filename() == "dump.json") {
      return entry.path();
    }
  }
  ADD_FAILURE() << folder << " holds no dump.json";
  return {};
}

TEST(MsprobeArguments, OfARealDumpComeBackFieldByField) {
  for (const char* name : {"v26_stat_w", "v26_md5_w", "v26_tensor_L0_w", "v83_stat_w"}) {
    SCOPED_TRACE(name);
    const test::TempDir dir;
    const fs::path target = test::msprobeCase(name) / "target";
    const auto dump = openDump(target);
    ASSERT_TRUE(dump) << dump.error().message();
    const DumpExporterRegistry exporters = builtinDumpExporters();
    const auto outcome = exportDump(**dump, dir / "out", *exporters.find("msprobe"), {});
    ASSERT_TRUE(outcome) << outcome.error().message();
    const auto before = argumentsOf(dumpJsonBelow(target));
    const auto after = argumentsOf(dumpJsonBelow(dir / "out"));
    ASSERT_EQ(after.size(), before.size());
    for (const auto& [entry, lines] : before) {
      ASSERT_TRUE(after.contains(entry)) << entry;
      EXPECT_EQ(after.at(entry), lines) << entry;
    }
  }
}

/// Kinds that the fixtures lack.
constexpr const char* kDump = R"({"task": "statistics", "level": "L1", "data": {
 "Torch.x.0.forward": {"input_args": [
   {"type": "torch.Tensor", "dtype": "torch.float32", "shape": [2], "Max": 1.0, "Min": 0.0,
    "Mean": 0.5, "Norm": 1.0, "requires_grad": true},
   {"type": "str", "value": "007"}, {"type": "str", "value": "True"}, {"type": "str", "value": ""},
   null, {"type": "int", "value": 123456789012345678901}, {"type": "float", "value": -Infinity},
   {"type": "slice", "value": [null, 2, null]}, {"type": "torch.Size", "value": [2, 8]},
   {"type": "torch.dtype", "value": "torch.float32"}, {"type": "ellipsis", "value": "..."},
   [], {}, [{"type": "bool", "value": false}, {"a": []}], null],
  "input_kwargs": {"device": {"type": "torch.device", "value": "cuda:0"}, "none": null,
   "layout": {"type": "torch.memory_format", "format": "preserve_format"},
   "group": {"type": "torch.ProcessGroup", "group_ranks": [0, 1], "group_id": "0badcafe"}},
  "output": [null, {"type": "float64", "value": 1e-05}]}}})";

TEST(MsprobeArguments, OfEveryKindComeBack) {
  const test::TempDir dir;
  dir.write("in/step0/rank0/dump.json", kDump);
  const auto dump = openDump(dir / "in");
  ASSERT_TRUE(dump) << dump.error().message();
  const DumpExporterRegistry exporters = builtinDumpExporters();
  const auto outcome = exportDump(**dump, dir / "out", *exporters.find("msprobe"), {});
  ASSERT_TRUE(outcome) << outcome.error().message();
  const auto before = argumentsOf(dir / "in/step0/rank0/dump.json");
  ASSERT_EQ(before.at("Torch.x.0.forward").size(), 22U);
  EXPECT_EQ(argumentsOf(dumpJsonBelow(dir / "out")), before);
}

TEST(MsprobeArguments, ThatReachOutOfTheDumpLeaveTheirFileBehind) {
  const test::TempDir dir;
  test::TensorDump dump;
  test::TensorUnit& unit = dump.add();
  unit.entry({.name = "x", .kind = EntryKind::Module, .module = "x", .operation = "X"});
  unit.row({.name = "x",
            .role = Role::Input,
            .index = "0",
            .value = "a",
            .argument = R"({"type": "str", "value": "a", "data_name": "../../x.npy"})"});
  const DumpExporterRegistry exporters = builtinDumpExporters();
  ASSERT_TRUE(exportDump(dump, dir / "out", *exporters.find("msprobe"), {}));
  const std::string text = readTextFile(dumpJsonBelow(dir / "out")).value_or("");
  EXPECT_THAT(text, HasSubstr("\"value\": \"a\""));
  EXPECT_THAT(text, testing::Not(HasSubstr("data_name")));
}

}  // namespace
}  // namespace ulp::dumps
