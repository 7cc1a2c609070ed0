// `ulpscope-cli run --overwrite` over a finished folder, with the real engine and inputs that are
// wrong: one line that names file and place, exit code 2, and nothing of the folder is touched.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <ostream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/files/atomic_file.h"
#include "core/report/model/report.h"
#include "core/tensors/store/capture_reader.h"
#include "tests/core/engine/tiny_model.h"
#include "tests/support/machine/child_process.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr std::uint64_t kHuge = std::uint64_t{1} << 60U;

/// What a study reads: good until a case spoils a part of it.
struct Inputs {
  engine::TinyModel model;
  bool isGguf = false;
  bool hasModel = true;
  bool hasWeights = true;
  void (*spoilWeights)(std::string& bytes) = nullptr;
  std::string tokens = "[[1, 2, 36, 3, 4]]";
  std::string key = "precision.compute_dtype";
};

struct BadInput {
  const char* name;
  void (*spoil)(Inputs& inputs);
  const char* message;  ///< `file: place: what`, the file without its folder

  // NOLINTNEXTLINE(readability-identifier-naming): GoogleTest looks for this name
  friend void PrintTo(const BadInput& input, std::ostream* out) { *out << input.name; }
};

void putNumber(std::string& bytes, std::size_t offset, std::uint64_t value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

constexpr std::array<BadInput, 15> kBadInputs{{
    {"NoModel", [](Inputs& in) { in.hasModel = false; }, "study.yaml:1:15: model.path '"},
    {"NoWeights",
     [](Inputs& in) { in.hasWeights = false; },
     "model: holds neither model.safetensors nor model.safetensors.index.json"},
    {"MissingTensor",
     [](Inputs& in) { in.model.weights.erase("model.layers.1.mlp.up_proj.weight"); },
     "model.safetensors: tensor 'model.layers.1.mlp.up_proj.weight': is missing"},
    {"WrongShape",
     [](Inputs& in) { in.model.add("model.norm.weight", {17}); },
     "model.safetensors: tensor 'model.norm.weight': has shape [17], the configuration gives [16]"},
    {"TruncatedSafetensors",
     [](Inputs& in) {
       in.spoilWeights = [](std::string& bytes) { bytes.resize(bytes.size() - 4); };
     },
     "model.safetensors: tensor 'model.norm.weight': data_offsets ["},
    {"SafetensorsHeaderBeyondTheFile",
     [](Inputs& in) { in.spoilWeights = [](std::string& bytes) { putNumber(bytes, 0, kHuge); }; },
     "model.safetensors: header: its size of 1152921504606846976 bytes exceeds the file"},
    {"SafetensorsShapeBeyondItsBytes",
     [](Inputs& in) {
       in.spoilWeights = [](std::string& bytes) {
         constexpr std::string_view kNorm = R"("model.norm.weight":{"dtype":"F32","shape":[16])";
         bytes.replace(bytes.find(kNorm) + kNorm.size() - 3, 2, "61");
       };
     },
     "model.safetensors: tensor 'model.norm.weight': its shape and element type do not give the 64 "
     "bytes"},
    {"TruncatedGguf",
     [](Inputs& in) {
       in.isGguf = true;
       in.spoilWeights = [](std::string& bytes) { bytes.resize(bytes.size() - 4); };
     },
     "model.gguf: tensor 'output_norm.weight': reaches beyond the end of the file"},
    {"TruncatedGgufHeader",
     [](Inputs& in) {
       in.isGguf = true;
       in.spoilWeights = [](std::string& bytes) { bytes.resize(100); };
     },
     "model.gguf: byte 24: 21 tensors do not fit into the rest of the file"},
    {"GgufOfTooManyTensors",
     [](Inputs& in) {
       in.isGguf = true;
       in.spoilWeights = [](std::string& bytes) { putNumber(bytes, 8, kHuge); };
     },
     "model.gguf: byte 24: 1152921504606846976 tensors do not fit into the rest of the file"},
    {"GgufTextBeyondTheFile",
     [](Inputs& in) {
       in.isGguf = true;
       in.spoilWeights = [](std::string& bytes) { putNumber(bytes, 24, kHuge); };
     },
     "model.gguf: byte 32: metadata key of 1152921504606846976 bytes reaches beyond the end of the "
     "file"},
    {"GgufOfAnotherShape",
     [](Inputs& in) {
       in.isGguf = true;
       in.model.add("model.norm.weight", {17});
     },
     "model.gguf: tensor 'output_norm.weight': has shape [17], the configuration gives [16]"},
    {"UnknownKey",
     [](Inputs& in) { in.key = "precision.compute_dtyp"; },
     "study.yaml:3:19: unknown key 'precision.compute_dtyp' in variant 'bf16'; did you mean "
     "'precision.compute_dtype'?"},
    {"TokenBeyondTheVocabulary",
     [](Inputs& in) { in.tokens = "[[1, 2, 36, 37, 4]]"; },
     "tokens.json: [0, 3]: token id 37 is outside of the model's vocabulary, 0 to 36"},
    {"TokensThatAreNoNumbers",
     [](Inputs& in) { in.tokens = "[[1, 2, \"three\", 3, 4]]"; },
     "tokens.json: [0][2]: a text where a token id is needed"},
}};

class BadInputTest : public testing::TestWithParam<BadInput> {
 protected:
  /// Writes the files below `name` and gives the study.
  fs::path write(const std::string& name, const Inputs& inputs) const {
    const fs::path model = m_folder / (name + (inputs.isGguf ? "/model.gguf" : "/model"));
    if (inputs.hasModel && inputs.isGguf) {
      m_folder.write(name + "/model.gguf",
                     spoilt(engine::TinyGguf(inputs.model).content(), inputs));
    } else if (inputs.hasModel) {
      m_folder.write(name + "/model/config.json", inputs.model.config.dump());
    }
    if (inputs.hasModel && inputs.hasWeights && !inputs.isGguf) {
      const fs::path file = model / "model.safetensors";
      inputs.model.writeFile<float>(file, DType::Float32);
      m_folder.write(name + "/model/model.safetensors", spoilt(*readTextFile(file), inputs));
    }
    const fs::path tokens = m_folder.write(name + "/tokens.json", inputs.tokens);
    return m_folder.write(name + "/study.yaml",
                          "model: {path: " + model.string() +
                              "}\n"
                              "input: {source: tokens, path: " +
                              tokens.string() +
                              "}\n"
                              "variants: {bf16: {" +
                              inputs.key +
                              ": bfloat16}}\n"
                              "capture: {tensors: full}\n");
  }

  test::ChildResult run(const fs::path& study) const {
    test::ChildProcess child(
        {ULP_BINARY_DIR "/bin/ulpscope-cli",
         "run",
         study.string(),
         "--device",
         "cpu",
         "--output",
         out().string(),
         "--progress",
         "none",
         "--overwrite"},
        {.environment = {{"ULP_ENGINE_LIBRARY", ULP_BINARY_DIR "/lib/libulpscope_engine.so"}}});
    return child.wait();
  }

  fs::path out() const { return m_folder / "out"; }

  /// Every file of the run folder with its content.
  std::map<std::string, std::string> results() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(out())) {
      if (entry.is_regular_file()) {
        all[fs::relative(entry.path(), out()).string()] = *readTextFile(entry.path());
      }
    }
    return all;
  }

  test::TempDir m_folder;

 private:
  static std::string spoilt(std::string bytes, const Inputs& inputs) {
    if (inputs.spoilWeights != nullptr) {
      inputs.spoilWeights(bytes);
    }
    return bytes;
  }
};

TEST_P(BadInputTest, IsNamedAndLeavesFinishedResultsReadable) {
  const test::ChildResult good = run(write("good", {}));
  ASSERT_EQ(good.exitCode, 0) << good.err;
  const auto before = results();
  ASSERT_TRUE(before.contains("tensors.h5"));
  Inputs inputs;
  GetParam().spoil(inputs);

  const test::ChildResult bad = run(write("bad", inputs));
  EXPECT_EQ(bad.exitCode, 2);
  EXPECT_EQ(bad.out, "");
  EXPECT_THAT(bad.err, testing::StartsWith("ulpscope-cli: "));
  EXPECT_THAT(bad.err, HasSubstr("/" + std::string(GetParam().message)));
  EXPECT_EQ(std::count(bad.err.begin(), bad.err.end(), '\n'), 1) << bad.err;

  EXPECT_EQ(results(), before);
  const auto report = report::loadReport(out());
  ASSERT_TRUE(report) << report.error().message();
  ASSERT_EQ(report->report->runs.size(), 2U);
  for (const report::Run& each : report->report->runs) {
    EXPECT_EQ(each.status, report::RunStatus::Finished) << each.name;
  }
  EXPECT_FALSE(report->report->runs[1].comparisons.empty());
  const auto reader = tensors::CaptureReader::open(out());
  ASSERT_TRUE(reader) << reader.error().message();
  EXPECT_FALSE((*reader)->captures().empty());
}

INSTANTIATE_TEST_SUITE_P(Run,
                         BadInputTest,
                         testing::ValuesIn(kBadInputs),
                         [](const testing::TestParamInfo<BadInput>& input) {
                           return std::string(input.param.name);
                         });

}  // namespace
}  // namespace ulp::cli
