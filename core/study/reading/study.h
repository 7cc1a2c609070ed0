#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/base/site.h"
#include "core/study/schema/step_settings.h"
#include "core/study/yaml/yaml_tree.h"

namespace ulp::study {

/// Who set a key. Later wins.
enum class Origin : std::uint8_t { Default, Study, ReferenceFp32, Variant, CommandLine, Run };
[[nodiscard]] std::string_view toString(Origin origin);

struct Setting {
  std::string value;  ///< scalar as text; lists and objects as YAML flow text
  Origin origin = Origin::Default;
  SourcePosition position;
  bool follows = false;  ///< nobody set it: what effectiveSettings() derived from other keys
};

/// Dotted path -> setting, validated against the schema; holds every key of the schema.
using Settings = std::map<std::string, Setting, std::less<>>;

/// Dotted path, setting; in the order of the file.
using Overrides = std::vector<std::pair<std::string, Setting>>;

struct Variant {
  std::string name;
  Overrides overrides;
};

// Enumerators stand in the order of the choices of their keys.
enum class InputSource : std::uint8_t { Random, Tokens, Text, Dataset };
enum class TensorStorage : std::uint8_t { None, Sampled, Full };

/// A study as read: text and parsed settings, defaults filled in, every value checked.
struct Study {
  std::filesystem::path file;  ///< empty for a study made in memory
  std::string text;            ///< as read, comments kept
  Settings settings;           ///< defaults < file < --set, before fp32 everywhere and variants
  Overrides reference;         ///< of the reference run
  std::vector<Variant> variants;

  // Typed access to the keys that all runs share.
  std::string engine = "auto";  ///< "native", "python"; "auto": the first that can
  std::string pythonProgram;    ///< as written; empty: that of the environment
  std::string modelFactory;     ///< as written; empty: the model is that of modelPath
  std::string modelPath;        ///< as written
  bool randomWeights = false;
  std::string architectureJson;
  bool trustsModelCode = false;  ///< runs code that comes with a checkpoint
  InputSource inputSource = InputSource::Random;
  /// Absolute, or relative to the working folder or, when it exists only there, the study's.
  std::filesystem::path inputPath;
  /// 0 with tokens from a file when the study does not set them: the file decides. Set, they must
  /// agree with the file.
  std::int64_t sequenceLength = 0;
  std::int64_t microBatchSize = 0;
  std::int64_t generated = 0;           ///< positions behind a prompt of sequenceLength
  std::int64_t sequences = 0;           ///< a multiple of microBatchSize; 0: those of one step
  std::string inputField;               ///< of a dataset's objects: their text or messages
  bool chatTemplate = false;            ///< a dataset holds conversations
  std::filesystem::path tokenizerPath;  ///< empty: the model's own
  std::uint64_t seed = 0;               ///< of random tokens
  std::uint64_t modelSeed = 0;          ///< of random weights
  Level captureLevel = Level::Module;
  TensorStorage captureTensors = TensorStorage::Full;
  bool captureBackward = true;  ///< false: the forward pass alone
  bool captureParameterGradients = true;
  bool captureKernels = true;        ///< on CUDA
  std::vector<std::string> include;  ///< regular expressions over site names; empty: all
  std::vector<std::string> exclude;
  LossSettings loss;
  OptimizerSettings optimizer;
  StepSettings step;
  std::vector<std::string> noiseFloor;  ///< choices of the key noise_floor
  std::string device;
  std::filesystem::path outputDir;

  /// How many positions a sequence has; 0: the file of its tokens decides.
  [[nodiscard]] std::int64_t positions() const {
    return sequenceLength > 0 ? sequenceLength + generated : 0;
  }

  /// Settings that have no effect in this study (a seed that nothing is drawn from), one line each.
  std::vector<std::string> warnings;
};

inline constexpr std::string_view kReferenceName = "reference";
/// "floor.repeat" for the kind "repeat" of noise_floor.
[[nodiscard]] std::string noiseFloorRunName(std::string_view kind);
/// What is measured of the noise floor: what the study names; where it names nothing a repeat on
/// CUDA, whose kernels may add in another order each time.
[[nodiscard]] std::vector<std::string> noiseFloorKinds(const Study& study, bool isOnCuda);

/// Reads and validates a study. `sets` are `KEY=VALUE` of the command line. Errors
/// (InvalidArgument, NotFound) read `file:line:column: what; nearest known key or valid values`;
/// all errors of a file are reported together, one a line.
[[nodiscard]] Result<Study> loadStudy(const std::filesystem::path& path,
                                      const std::vector<std::string>& sets = {});
/// Reads a study from text; `origin` stands for the file name in messages.
[[nodiscard]] Result<Study> parseStudy(std::string_view yaml,
                                       std::string_view origin,
                                       const std::vector<std::string>& sets = {});

/// The effective value of every run key for the reference (`kReferenceName`) or a variant, with who
/// set it. Reference: defaults < study < fp32 everywhere < its own overrides; variant: defaults <
/// study < its own overrides. A `--set` takes the place of the line of the file that it names. A
/// dtype or kernel that nobody set follows another key (the compute dtype, semantics) and shares
/// its origin. Errors: NotFound for an unknown run.
[[nodiscard]] Result<Settings> effectiveSettings(const Study& study, std::string_view run);

/// Where a setting of `key` was written, "study.yaml:3:12" or "--set KEY=VALUE"; empty: nobody
/// wrote it, or not into a file.
[[nodiscard]] std::string placeOf(const Study& study, std::string_view key, const Setting& setting);

/// What a key is in every run, and who said so.
struct EffectiveRow {
  std::string key;
  std::vector<Setting> cells;  ///< parallel to EffectiveTable::runs
  bool differs = false;        ///< not all runs have the same value
};

struct EffectiveTable {
  std::vector<std::string> runs;   ///< the reference first, then the variants
  std::vector<EffectiveRow> rows;  ///< every key, in the order of the schema
};

[[nodiscard]] EffectiveTable effectiveTable(const Study& study);

/// Resolves `model.path`: a folder or file as written, then relative to the study file, then a hub
/// ID in $HF_HUB_CACHE, $HF_HOME/hub, ~/.cache/huggingface/hub. Errors: NotFound listing where it
/// looked.
[[nodiscard]] Result<std::filesystem::path> resolveModelPath(const Study& study);
/// Resolves a path as written: ~ is the home folder; a relative one is beside the study where it is
/// there, else in the working folder.
[[nodiscard]] std::filesystem::path resolveBeside(const Study& study, std::string_view written);
/// The same for the file of FILE.py:FUNCTION.
[[nodiscard]] std::string resolveFunction(const Study& study, std::string_view written);

}  // namespace ulp::study
