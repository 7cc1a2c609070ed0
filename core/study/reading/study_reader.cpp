#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <tuple>

#include "core/base/files/atomic_file.h"
#include "core/study/fast_llm/fast_llm_study.h"
#include "core/study/reading/gradient_checks.h"
#include "core/study/reading/study.h"
#include "core/study/schema/loss_values.h"
#include "core/study/schema/schema.h"
#include "core/study/schema/value_check.h"
#include "core/study/yaml/yaml_tree.h"

namespace ulp::study {
namespace {

constexpr std::string_view kReferencePrefix = "reference.";
constexpr std::string_view kVariantsPrefix = "variants.";
constexpr std::size_t kMaxNameBytes = 100;
constexpr std::size_t kMaxFileBytes = std::size_t{4} << 20;

using Overrides = std::vector<std::pair<std::string, Setting>>;

/// Whose settings a piece of YAML sets: the study's, or those of one run.
struct Owner {
  Overrides* overrides = nullptr;  ///< null: the study's settings
  std::string label;               ///< "variant 'bf16'", "the reference"
};

/// "variants.bf16.precision.cast" -> "bf16", "precision.cast". Names may hold dots, so the split is
/// where a known key begins.
std::optional<std::pair<std::string_view, std::string_view>> splitVariantPath(
    std::string_view path) {
  path.remove_prefix(kVariantsPrefix.size());
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos;
       dot = path.find('.', dot + 1)) {
    if (findKey(path.substr(dot + 1)) != nullptr) {
      return std::pair{path.substr(0, dot), path.substr(dot + 1)};
    }
  }
  return std::nullopt;
}

class StudyReader {
 public:
  StudyReader(std::string_view origin, std::filesystem::path file) : m_origin(origin) {
    m_study.file = std::move(file);
    for (const Key& key : schemaKeys()) {
      m_study.settings[std::string(key.path)] = {std::string(key.defaultText), Origin::Default, {}};
    }
  }

  Result<Study> read(std::string_view yaml, const std::vector<std::string>& sets) {
    m_study.text = yaml;
    const auto root = ULP_TRY(parseYaml(yaml, m_origin));
    if (root.kind == YamlNode::Kind::Null) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("{}: the study is empty; it needs at least model.path", m_origin));
    }
    if (root.kind != YamlNode::Kind::Map) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("{}: a study is a map of keys to values (key: value)", m_origin));
    }
    if (isFastLlmStudy(root)) {
      readFastLlm(root);
    } else {
      readMap(root, "", {});
    }
    for (const std::string& set : sets) {
      readSet(set);
    }
    checkWhole();
    if (!m_errors.empty()) {
      return fail(ErrorCode::InvalidArgument, joinedErrors());
    }
    fillTypedFields();
    return std::move(m_study);
  }

 private:
  struct Problem {
    SourcePosition position;
    std::string text;
  };

  void addError(SourcePosition position, std::string_view message) {
    if (!m_set.empty()) {
      // After those of the file, in the order of the command line.
      m_errors.push_back({{1 << 30, 0}, fmt::format("--set {}: {}", m_set, message)});
    } else if (position.line == 0) {
      m_errors.push_back({position, fmt::format("{}: {}", m_origin, message)});
    } else {
      m_errors.push_back(
          {position,
           fmt::format("{}:{}:{}: {}", m_origin, position.line, position.column, message)});
    }
  }

  std::string joinedErrors() {
    std::stable_sort(m_errors.begin(), m_errors.end(), [](const Problem& a, const Problem& b) {
      return std::tie(a.position.line, a.position.column) <
             std::tie(b.position.line, b.position.column);
    });
    std::vector<std::string_view> lines;
    for (const Problem& problem : m_errors) {
      lines.emplace_back(problem.text);
    }
    return fmt::format("{}", fmt::join(lines, "\n"));
  }

  void readFastLlm(const YamlNode& root) {
    FastLlmTranslation translation = translateFastLlm(root, m_study.file.parent_path());
    for (const ValueProblem& problem : translation.problems) {
      addError(problem.position, problem.message);
    }
    m_study.warnings = std::move(translation.notes);
    readMap(translation.study, "", {});
  }

  void readMap(const YamlNode& map, const std::string& prefix, const Owner& owner) {
    for (const YamlNode::Entry& entry : map.entries) {
      readEntry(entry, prefix.empty() ? entry.key : prefix + "." + entry.key, owner);
    }
  }

  void readEntry(const YamlNode::Entry& entry, const std::string& path, const Owner& owner) {
    if (const Key* key = findKey(path)) {
      assign(*key, entry, owner);
    } else if (isSection(path)) {
      readSection(entry, path, owner);
    } else if (owner.overrides == nullptr && path == "reference") {
      readOverrides(entry, {&m_study.reference, "the reference"});
    } else if (owner.overrides == nullptr && path == "variants") {
      readVariants(entry);
    } else if (owner.overrides == nullptr && path.starts_with(kReferencePrefix)) {
      readEntry(entry, path.substr(kReferencePrefix.size()), {&m_study.reference, "the reference"});
    } else if (owner.overrides == nullptr && path.starts_with(kVariantsPrefix) &&
               splitVariantPath(path)) {
      const auto [name, keyPath] = *splitVariantPath(path);
      if (checkName(name, entry.position)) {
        readEntry(entry, std::string(keyPath), ownerOf(name));
      }
    } else {
      addUnknownKey(entry, path, owner);
    }
  }

  void addUnknownKey(const YamlNode::Entry& entry, std::string_view path, const Owner& owner) {
    std::string_view nearest = nearestKey(path);
    if (entry.value.kind == YamlNode::Kind::Map) {
      nearest = nearestSection(path);
    }
    if (nearest.empty() && path.starts_with(kVariantsPrefix)) {
      const std::size_t dot = path.find('.', kVariantsPrefix.size());
      nearest = dot == std::string_view::npos ? "" : nearestKey(path.substr(dot + 1));
    }
    const std::string where = owner.overrides == nullptr ? "" : " in " + owner.label;
    const std::string hint = nearest.empty() ? "; `ulpscope-cli schema` lists the keys"
                                             : fmt::format("; did you mean '{}'?", nearest);
    addError(entry.position, fmt::format("unknown key '{}'{}{}", path, where, hint));
  }

  void readSection(const YamlNode::Entry& entry, const std::string& path, const Owner& owner) {
    if (entry.value.kind == YamlNode::Kind::Map) {
      readMap(entry.value, path, owner);
    } else if (entry.value.kind != YamlNode::Kind::Null) {
      addError(entry.value.position,
               fmt::format("'{}' is a section and takes keys, not a value", path));
    }
  }

  void readOverrides(const YamlNode::Entry& entry, const Owner& owner) {
    if (entry.value.kind == YamlNode::Kind::Map) {
      readMap(entry.value, "", owner);
    } else if (entry.value.kind != YamlNode::Kind::Null) {
      addError(entry.value.position,
               fmt::format("{} must be a map such as {{precision.compute_dtype: bfloat16}}",
                           owner.label));
    }
  }

  void readVariants(const YamlNode::Entry& variants) {
    if (variants.value.kind == YamlNode::Kind::Null) {
      return;
    }
    if (variants.value.kind != YamlNode::Kind::Map) {
      addError(variants.value.position, "'variants' must be a map of names to overrides");
      return;
    }
    std::vector<const YamlNode::Entry*> seen;
    for (const YamlNode::Entry& entry : variants.value.entries) {
      const auto twin = std::find_if(seen.begin(), seen.end(), [&](const YamlNode::Entry* other) {
        return other->key == entry.key;
      });
      if (twin != seen.end()) {
        addError(entry.position,
                 fmt::format("variant '{}' is defined twice, first in line {}",
                             entry.key,
                             (*twin)->position.line));
      } else if (checkName(entry.key, entry.position)) {
        readOverrides(entry, ownerOf(entry.key));
      }
      seen.push_back(&entry);
    }
  }

  /// Run names become folder, file and HDF5 group names.
  bool checkName(std::string_view name, SourcePosition position) {
    const auto isForbidden = [](char c) {
      return c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    };
    if (name == kReferenceName) {
      addError(position,
               "a variant cannot be called 'reference'; the key `reference:` at the top level sets "
               "what the reference run changes");
      return false;
    }
    if (name.empty() || name.size() > kMaxNameBytes || name.front() == '.' || name.front() == ' ' ||
        name.back() == ' ' || std::any_of(name.begin(), name.end(), isForbidden)) {
      addError(position,
               fmt::format("'{}' cannot name a variant: up to {} bytes without slashes, control "
                           "characters, a leading dot or outer blanks",
                           name,
                           kMaxNameBytes));
      return false;
    }
    return true;
  }

  Owner ownerOf(std::string_view name) {
    const auto found = std::find_if(m_study.variants.begin(),
                                    m_study.variants.end(),
                                    [&](const Variant& variant) { return variant.name == name; });
    Variant& variant = found == m_study.variants.end()
                           ? m_study.variants.emplace_back(Variant{std::string(name), {}})
                           : *found;
    return {&variant.overrides, fmt::format("variant '{}'", name)};
  }

  void assign(const Key& key, const YamlNode::Entry& entry, const Owner& owner) {
    if (owner.overrides != nullptr && key.scope == KeyScope::Study) {
      addError(entry.position,
               fmt::format("'{}' holds for the whole study and cannot be set in {}; runs differ in "
                           "formats, kernels and their settings only",
                           key.path,
                           owner.label));
      return;
    }
    const auto value = checkValue(key, entry.value);
    if (!value) {
      addError(value.error().position, value.error().message);
      return;
    }
    Setting& setting = settingOf(key, owner);
    if (m_set.empty() && setting.position.line != 0) {
      addError(entry.position,
               fmt::format("'{}' is set twice, first in line {}", key.path, setting.position.line));
      return;
    }
    const Origin origin = owner.overrides == nullptr ? Origin::Study : Origin::Variant;
    setting = {*value, m_set.empty() ? origin : Origin::CommandLine, entry.value.position};
  }

  Setting& settingOf(const Key& key, const Owner& owner) {
    if (owner.overrides == nullptr) {
      return m_study.settings[std::string(key.path)];
    }
    for (auto& [path, setting] : *owner.overrides) {
      if (path == key.path) {
        return setting;
      }
    }
    return owner.overrides->emplace_back(std::string(key.path), Setting{}).second;
  }

  void readSet(const std::string& set) {
    m_set = set;
    const std::size_t equals = set.find('=');
    if (equals == std::string::npos || equals == 0) {
      addError({}, "expected KEY=VALUE, for example precision.cast=module");
    } else if (const auto value = parseYaml(set.substr(equals + 1), "value"); !value) {
      addError({}, value.error().message());
    } else {
      YamlNode::Entry entry{set.substr(0, equals), {}, *value};
      readEntry(entry, entry.key, {});
    }
    m_set.clear();
  }

  [[nodiscard]] const Setting& setting(std::string_view path) const {
    return m_study.settings.find(path)->second;
  }
  [[nodiscard]] const std::string& value(std::string_view path) const {
    return setting(path).value;
  }
  [[nodiscard]] bool isSet(std::string_view path) const {
    return setting(path).origin != Origin::Default;
  }

  void checkWhole() {
    if (!isSet("model.path") && m_errors.empty()) {
      addError({}, "'model.path' is missing; it names the model to evaluate");
    }
    checkInput();
    checkLoss();
    checkDocumentsFill();
    checkNoiseFloor();
    checkGradients();
    warnUnused("model.seed", value("model.weights") == "pretrained", "the weights are pretrained");
  }

  void checkInput() {
    const std::string& source = value("input.source");
    const bool isRandom = source == "random";
    const bool isText = source == "text" || source == "dataset";
    if (!isRandom && !isSet("input.path")) {
      addError(setting("input.source").position,
               fmt::format("input.source '{}' needs input.path, the file of {}",
                           source,
                           isText ? "text" : "token ids"));
    }
    const std::int64_t batch = source == "tokens" && !isSet("input.micro_batch_size")
                                   ? 1
                                   : integer("input.micro_batch_size");
    if (isSet("input.sequences") && batch > 0 && integer("input.sequences") % batch != 0) {
      addError(setting("input.sequences").position,
               fmt::format("input.sequences {} is not a multiple of input.micro_batch_size {}",
                           value("input.sequences"),
                           batch));
    }
    warnUnused("input.path", isRandom, "input.source is random");
    warnUnused("input.seed", !isRandom, "the tokens come from a file");
    warnUnused("input.field", source != "dataset", "input.source is not dataset");
    warnUnused("input.tokenizer", !isText, "no text is tokenised");
    warnUnused("input.chat_template", source != "dataset", "input.source is not dataset");
  }

  void checkLoss() {
    const LossSettings loss = lossSettings();
    if (loss.needsPolicy() && loss.readsFile() && !isSet("loss.path")) {
      const std::string_view key = loss.advantages == AdvantageSource::File
                                       ? "loss.advantages"
                                       : "loss.old_log_probabilities";
      addError(setting(key).position,
               fmt::format("{} 'file' needs loss.path, the file that holds them", key));
    }
    if (loss.logitsScale <= 0) {
      addError(setting("loss.logits_scale").position, "'loss.logits_scale' must be above 0");
    }
    if (isSet("loss.type") && value("loss.terms") != "[]") {
      addError(setting("loss.terms").position,
               "'loss.type' and 'loss.terms' are both set; one of them says what the loss is");
    }
    for (const std::string_view key : {"loss.advantages",
                                       "loss.old_log_probabilities",
                                       "loss.old_noise",
                                       "loss.epsilon_low",
                                       "loss.epsilon_high",
                                       "loss.seed",
                                       "loss.path"}) {
      warnUnused(key, !loss.needsPolicy(), "neither grpo nor gspo is a term of the loss");
    }
  }

  /// With tokens from a file their number is known only when it is read.
  void checkDocumentsFill() {
    const StepSettings step = stepSettings();
    const bool isFromFile = value("input.source") != "random";
    const std::int64_t width = integer("input.sequence_length") + 1;
    if (!isFromFile && step.padding >= width) {
      addError(setting("input.padding").position,
               fmt::format("'input.padding' leaves no token of the {} of a sequence", width));
      return;
    }
    for (const std::vector<std::int64_t>& lengths : step.documents) {
      std::int64_t total = step.padding;
      for (const std::int64_t length : lengths) {
        total += length;
      }
      if (!isFromFile && total != width) {
        addError(setting("input.documents").position,
                 fmt::format("'input.documents' and 'input.padding' add up to {} tokens, but a "
                             "sequence has input.sequence_length + 1 = {}",
                             total,
                             width));
      }
    }
    warnUnused("schedule.micro_batches",
               step.docsPerStep > 0,
               "schedule.docs_per_step decides how many there are");
  }

  /// Each kind becomes a run of its own, named floor.KIND.
  void checkNoiseFloor() {
    const SourcePosition position = setting("noise_floor").position;
    const bool isFromFile = value("input.source") == "tokens" && !isSet("input.micro_batch_size");
    for (const std::string& kind : texts("noise_floor")) {
      if (kind == "batch_order" && !isFromFile && integer("input.micro_batch_size") == 1) {
        addError(position,
                 "noise_floor: batch_order needs input.micro_batch_size 2 or more: one sequence "
                 "has no order");
      }
      for (const Variant& variant : m_study.variants) {
        if (variant.name == noiseFloorRunName(kind)) {
          addError(position,
                   fmt::format("noise_floor: the run of {} is called '{}', and so is a variant; "
                               "rename the variant",
                               kind,
                               variant.name));
        }
      }
    }
  }

  void checkGradients() {
    KeyConflicts conflicts = checkGradientKeys(m_study);
    for (const ValueProblem& problem : conflicts.problems) {
      addError(problem.position, problem.message);
    }
    std::ranges::move(conflicts.warnings, std::back_inserter(m_study.warnings));
  }

  void warnUnused(std::string_view path, bool isUnused, std::string_view why) {
    if (isUnused && isSet(path)) {
      m_study.warnings.push_back(fmt::format("{} has no effect: {}", path, why));
    }
  }

  [[nodiscard]] std::int64_t integer(std::string_view path) const {
    const std::string& text = value(path);
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
  }

  [[nodiscard]] double number(std::string_view path) const {
    const std::string& text = value(path);
    double number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
  }

  [[nodiscard]] LossSettings lossSettings() const {
    LossSettings loss;
    loss.terms = parseLossTerms(value("loss.terms"),
                                {.type = value("loss.type"),
                                 .epsilonLow = number("loss.epsilon_low"),
                                 .epsilonHigh = number("loss.epsilon_high")});
    loss.logitsScale = number("loss.logits_scale");
    loss.advantages =
        value("loss.advantages") == "file" ? AdvantageSource::File : AdvantageSource::Normal;
    const std::string& old = value("loss.old_log_probabilities");
    loss.old = old == "file"    ? OldLogProbabilities::File
               : old == "zeros" ? OldLogProbabilities::Zeros
                                : OldLogProbabilities::Reference;
    loss.oldNoise = number("loss.old_noise");
    loss.seed = static_cast<std::uint64_t>(integer("loss.seed"));
    loss.path = besideStudy(value("loss.path"));
    return loss;
  }

  [[nodiscard]] StepSettings stepSettings() const {
    return {.documents = parseDocuments(value("input.documents")),
            .padding = integer("input.padding"),
            .unlabelled = parseRanges(value("input.unlabelled")),
            .microBatches = integer("schedule.micro_batches"),
            .docsPerStep = integer("schedule.docs_per_step")};
  }

  /// A relative path that exists beside the study file but not in the working folder.
  [[nodiscard]] std::filesystem::path besideStudy(const std::filesystem::path& path) const {
    std::error_code ignored;
    const auto beside = m_study.file.parent_path() / path;
    const bool isBeside = !path.empty() && path.is_relative() &&
                          !std::filesystem::exists(path, ignored) &&
                          std::filesystem::exists(beside, ignored);
    return isBeside ? beside : path;
  }

  void fillInput() {
    constexpr std::array<std::pair<std::string_view, InputSource>, 4> kSources{
        {{"random", InputSource::Random},
         {"tokens", InputSource::Tokens},
         {"text", InputSource::Text},
         {"dataset", InputSource::Dataset}}};
    Study& study = m_study;
    for (const auto& [name, source] : kSources) {
      study.inputSource = name == value("input.source") ? source : study.inputSource;
    }
    study.inputPath = besideStudy(value("input.path"));
    study.chatTemplate = value("input.chat_template") == "true";
    study.inputField = isSet("input.field") ? value("input.field")
                       : study.chatTemplate ? "messages"
                                            : "text";
    study.tokenizerPath = besideStudy(value("input.tokenizer"));
    const bool isFromFile = study.inputSource == InputSource::Tokens;
    const auto fromFile = [&](std::string_view path) { return isFromFile && !isSet(path); };
    study.sequenceLength = fromFile("input.sequence_length") ? 0 : integer("input.sequence_length");
    study.microBatchSize =
        fromFile("input.micro_batch_size") ? 0 : integer("input.micro_batch_size");
    study.sequences = isSet("input.sequences") ? integer("input.sequences") : 0;
    study.seed = static_cast<std::uint64_t>(integer("input.seed"));
  }

  void fillTypedFields() {
    Study& study = m_study;
    if (value("output_dir").empty()) {
      const std::string stem = study.file.stem().string();
      study.settings.find("output_dir")->second.value = "runs/" + (stem.empty() ? "study" : stem);
    }
    study.modelPath = value("model.path");
    study.randomWeights = value("model.weights") == "random";
    study.architectureJson = value("model.architecture");
    fillInput();
    study.modelSeed = static_cast<std::uint64_t>(integer("model.seed"));
    study.captureLevel = parseLevel(value("capture.level")).value_or(Level::Module);
    study.captureTensors = value("capture.tensors") == "none"      ? TensorStorage::None
                           : value("capture.tensors") == "sampled" ? TensorStorage::Sampled
                                                                   : TensorStorage::Full;
    study.captureBackward = value("capture.backward") == "true";
    study.captureParameterGradients = value("capture.parameter_gradients") == "true";
    study.include = texts("capture.include");
    study.exclude = texts("capture.exclude");
    study.loss = lossSettings();
    study.optimizer = optimizerSettings(study.settings);
    study.step = stepSettings();
    study.noiseFloor = texts("noise_floor");
    study.device = value("device");
    study.outputDir = value("output_dir");
  }

  /// The items of a list of texts.
  [[nodiscard]] std::vector<std::string> texts(std::string_view path) const {
    std::vector<std::string> result;
    const auto list = parseYaml(value(path), path);
    for (const YamlNode& item : list ? list->items : std::vector<YamlNode>{}) {
      result.push_back(item.text);
    }
    return result;
  }

  std::string_view m_origin;
  std::string m_set;  ///< the `--set` being read; empty: the file
  Study m_study;
  std::vector<Problem> m_errors;
};

}  // namespace

Result<Study> parseStudy(std::string_view yaml,
                         std::string_view origin,
                         const std::vector<std::string>& sets) {
  return StudyReader(origin, {}).read(yaml, sets);
}

Result<Study> loadStudy(const std::filesystem::path& path, const std::vector<std::string>& sets) {
  const auto text = ULP_TRY(readTextFile(path, kMaxFileBytes));
  const std::string origin = path.string();
  return StudyReader(origin, path).read(text, sets);
}

}  // namespace ulp::study
