#include "core/study/reading/study_fields.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <numeric>

#include "core/base/list_of.h"
#include "core/base/text/parse_number.h"
#include "core/study/reading/batch_settings.h"
#include "core/study/schema/loss_values.h"
#include "core/study/schema/schema.h"

namespace ulp::study {
namespace {

/// Of torch.optim.AdamW; SGD takes none.
constexpr double kDecayOfAdamW = 0.01;

/// Settings of a study that were checked one by one, as what they mean.
class CheckedSettings {
 public:
  CheckedSettings(const Settings& settings, const std::filesystem::path& studyFile)
      : m_settings(settings), m_folder(studyFile.parent_path()) {}

  [[nodiscard]] const Setting& at(std::string_view path) const {
    return m_settings.find(path)->second;
  }
  [[nodiscard]] const std::string& text(std::string_view path) const { return at(path).value; }
  [[nodiscard]] bool flag(std::string_view path) const { return text(path) == "true"; }
  [[nodiscard]] bool isSet(std::string_view path) const {
    return at(path).origin != Origin::Default;
  }
  template <class Number>
  [[nodiscard]] Number number(std::string_view path) const {
    return parseNumber<Number>(text(path)).value_or(0);
  }
  /// The enumerator at the place that the value has among the choices of the key.
  template <class Enum>
  [[nodiscard]] Enum choice(std::string_view path) const {
    const auto& choices = findKey(path)->choices;
    return static_cast<Enum>(std::ranges::find(choices, text(path)) - choices.begin());
  }
  [[nodiscard]] YamlNode list(std::string_view path) const {
    const YamlNode none{.kind = YamlNode::Kind::List};
    return text(path) == "[]" ? none : parseYaml(text(path), path).value_or(none);
  }
  [[nodiscard]] std::vector<std::string> texts(std::string_view path) const {
    return listOf(list(path).items, &YamlNode::text);
  }
  /// A relative path that exists beside the study file but not in the working folder is there.
  [[nodiscard]] std::filesystem::path file(std::string_view path) const {
    const std::filesystem::path written = text(path);
    const std::filesystem::path beside = m_folder / written;
    std::error_code ignored;
    const bool isBeside = !written.empty() && written.is_relative() &&
                          !std::filesystem::exists(written, ignored) &&
                          std::filesystem::exists(beside, ignored);
    return isBeside ? beside : written;
  }

 private:
  const Settings& m_settings;
  std::filesystem::path m_folder;
};

LossSettings lossSettings(const CheckedSettings& settings) {
  const LossTermSetting single{.type = settings.text("loss.type"),
                               .epsilonLow = settings.number<double>("loss.epsilon_low"),
                               .epsilonHigh = settings.number<double>("loss.epsilon_high")};
  auto terms = readLossTerms(*findKey("loss.terms"), settings.list("loss.terms"), single);
  return {.terms = terms && !terms->empty() ? *std::move(terms) : std::vector{single},
          .logitsScale = settings.number<double>("loss.logits_scale"),
          .advantages = settings.choice<AdvantageSource>("loss.advantages"),
          .old = settings.choice<OldLogProbabilities>("loss.old_log_probabilities"),
          .oldNoise = settings.number<double>("loss.old_noise"),
          .seed = settings.number<std::uint64_t>("loss.seed"),
          .path = settings.file("loss.path")};
}

StepSettings stepSettings(const CheckedSettings& settings) {
  const auto read = [&](auto reader, std::string_view path) {
    auto values = reader(*findKey(path), settings.list(path));
    return values ? *std::move(values) : typename decltype(values)::value_type{};
  };
  return {.documents = read(readDocuments, "input.documents"),
          .padding = settings.number<std::int64_t>("input.padding"),
          .unlabelled = read(readRanges, "input.unlabelled"),
          .microBatches = settings.number<std::int64_t>("schedule.micro_batches"),
          .docsPerStep = settings.number<std::int64_t>("schedule.docs_per_step")};
}

OptimizerSettings optimizerSettings(const CheckedSettings& settings) {
  const auto type = settings.choice<OptimizerSettings::Type>("optimizer.type");
  const double decay = type == OptimizerSettings::Type::AdamW ? kDecayOfAdamW : 0;
  return {.type = type,
          .learningRate = settings.number<double>("optimizer.learning_rate"),
          .beta1 = settings.number<double>("optimizer.beta1"),
          .beta2 = settings.number<double>("optimizer.beta2"),
          .epsilon = settings.number<double>("optimizer.epsilon"),
          .weightDecay = settings.isSet("optimizer.weight_decay")
                             ? settings.number<double>("optimizer.weight_decay")
                             : decay,
          .momentum = settings.number<double>("optimizer.momentum")};
}

void fillInput(const CheckedSettings& settings, Study& study) {
  study.inputSource = settings.choice<InputSource>("input.source");
  study.inputPath = settings.file("input.path");
  study.chatTemplate = settings.flag("input.chat_template");
  study.inputField = settings.isSet("input.field") ? settings.text("input.field")
                     : study.chatTemplate          ? "messages"
                                                   : "text";
  study.tokenizerPath = settings.file("input.tokenizer");
  const auto unlessFromFile = [&](std::string_view path) {
    const bool isFromFile = study.inputSource == InputSource::Tokens && !settings.isSet(path);
    return isFromFile ? 0 : settings.number<std::int64_t>(path);
  };
  study.sequenceLength = unlessFromFile("input.sequence_length");
  study.microBatchSize = unlessFromFile("input.micro_batch_size");
  study.generated = settings.number<std::int64_t>("input.generate");
  study.sequences = settings.number<std::int64_t>("input.sequences");
  study.seed = settings.number<std::uint64_t>("input.seed");
}

void fillFields(const CheckedSettings& settings, Study& study) {
  study.engine = settings.text("engine");
  study.pythonProgram = settings.text("python.executable");
  study.modelFactory = settings.text("model.factory");
  study.trustsModelCode = settings.flag("python.trust_code");
  study.modelPath = settings.text("model.path");
  study.randomWeights = settings.text("model.weights") == "random";
  study.architectureJson = settings.text("model.architecture");
  study.modelSeed = settings.number<std::uint64_t>("model.seed");
  fillInput(settings, study);
  study.captureLevel = parseLevel(settings.text("capture.level")).value_or(Level::Module);
  study.captureTensors = settings.choice<TensorStorage>("capture.tensors");
  study.captureBackward = settings.flag("capture.backward");
  study.captureParameterGradients = settings.flag("capture.parameter_gradients");
  study.captureKernels = settings.flag("capture.kernels");
  study.include = settings.texts("capture.include");
  study.exclude = settings.texts("capture.exclude");
  study.loss = lossSettings(settings);
  study.optimizer = optimizerSettings(settings);
  study.step = stepSettings(settings);
  study.noiseFloor = settings.texts("noise_floor");
  study.device = settings.text("device");
  study.outputDir = settings.text("output_dir");
}

/// Looks at keys together, once the typed members of the study are filled.
class KeyConflicts {
 public:
  KeyConflicts(const CheckedSettings& settings, Study& study)
      : m_settings(settings), m_study(study) {}

  std::vector<ValueProblem> find() {
    checkInput();
    checkLoss();
    checkDocumentsFill();
    checkNoiseFloor();
    if (!m_study.captureBackward) {
      checkWithoutBackward();
    }
    checkOptimizer();
    checkBatch();
    const bool isRounded = isSetAnywhere("precision.rounding");
    warnUnused({"precision.rounding_seed"}, !isRounded, "precision.rounding is nearest");
    warnUnused(
        {"precision.overflow"}, !hasFloat8Format(), "no format is float8_e4m3fn or float8_e5m2");
    const bool isMade = !m_study.modelFactory.empty();
    warnUnused({"model.weights", "model.seed", "model.architecture"},
               isMade,
               "model.factory makes the model");
    warnUnused({"model.seed"}, !isMade && !m_study.randomWeights, "the weights are pretrained");
    return std::move(m_problems);
  }

 private:
  using Keys = std::initializer_list<std::string_view>;

  /// At the value of a key.
  void addProblem(std::string_view key, std::string message) {
    m_problems.push_back({m_settings.at(key).position, std::move(message)});
  }

  void warnUnused(Keys keys, bool isUnused, std::string_view why) {
    for (const std::string_view key : keys) {
      if (isUnused && isSetAnywhere(key)) {
        m_study.warnings.push_back(fmt::format("{} has no effect: {}", key, why));
      }
    }
  }

  [[nodiscard]] bool isSetAnywhere(std::string_view key) const {
    const auto overrides = [key](const Overrides& settings) {
      return std::ranges::find(settings, key, &Overrides::value_type::first) != settings.end();
    };
    return m_settings.isSet(key) || overrides(m_study.reference) ||
           std::ranges::any_of(m_study.variants, overrides, &Variant::overrides);
  }

  /// As a format of its own or in a rule; operands of matmul.float8 are scaled into the range.
  [[nodiscard]] bool hasFloat8Format() const {
    const auto isFloat8 = [](const auto& setting) {
      const auto& [key, value] = setting;
      return (key.starts_with("precision.") || key == "batch.cache_dtype") &&
             value.value.find("float8_") != std::string::npos;
    };
    const auto anyOf = [&](const auto& settings) {
      return std::ranges::any_of(settings, isFloat8);
    };
    return anyOf(m_study.settings) || anyOf(m_study.reference) ||
           std::ranges::any_of(m_study.variants, anyOf, &Variant::overrides);
  }

  void checkInput() {
    const std::string& source = m_settings.text("input.source");
    const bool isRandom = m_study.inputSource == InputSource::Random;
    const bool isDataset = m_study.inputSource == InputSource::Dataset;
    const bool isText = isDataset || m_study.inputSource == InputSource::Text;
    if (!isRandom && !m_settings.isSet("input.path")) {
      addProblem("input.source",
                 fmt::format("input.source '{}' needs input.path, the file of {}",
                             source,
                             isText ? "text" : "token ids"));
    }
    const std::int64_t batch = std::max<std::int64_t>(m_study.microBatchSize, 1);
    if (m_study.sequences % batch != 0) {
      addProblem("input.sequences",
                 fmt::format("input.sequences {} is not a multiple of input.micro_batch_size {}",
                             m_study.sequences,
                             batch));
    }
    warnUnused({"input.path"}, isRandom, "input.source is random");
    warnUnused({"input.seed"}, !isRandom, "the tokens come from a file");
    warnUnused(
        {"model.path"}, !m_study.modelFactory.empty() && !isText, "model.factory makes the model");
    warnUnused({"input.field"}, !isDataset, "input.source is not dataset");
    warnUnused({"input.tokenizer"}, !isText, "no text is tokenised");
    warnUnused({"input.chat_template"}, !isDataset, "input.source is not dataset");
  }

  void checkLoss() {
    const LossSettings& loss = m_study.loss;
    if (loss.needsPolicy() && loss.readsFile() && !m_settings.isSet("loss.path")) {
      const std::string_view key = loss.advantages == AdvantageSource::File
                                       ? "loss.advantages"
                                       : "loss.old_log_probabilities";
      addProblem(key, fmt::format("{} 'file' needs loss.path, the file that holds them", key));
    }
    if (loss.logitsScale <= 0) {
      addProblem("loss.logits_scale", "'loss.logits_scale' must be above 0");
    }
    if (m_settings.isSet("loss.type") && m_settings.text("loss.terms") != "[]") {
      addProblem("loss.terms",
                 "'loss.type' and 'loss.terms' are both set; one of them says what the loss is");
    }
    warnUnused({"loss.advantages",
                "loss.old_log_probabilities",
                "loss.old_noise",
                "loss.epsilon_low",
                "loss.epsilon_high",
                "loss.seed",
                "loss.path"},
               !loss.needsPolicy(),
               "neither grpo nor gspo is a term of the loss");
  }

  /// With tokens from a file their number is known only when it is read.
  void checkDocumentsFill() {
    const StepSettings& step = m_study.step;
    const std::int64_t width = m_study.sequenceLength + 1;
    if (m_study.inputSource == InputSource::Random) {
      if (step.padding >= width) {
        addProblem("input.padding",
                   fmt::format("'input.padding' leaves no token of the {} of a sequence", width));
        return;
      }
      for (const std::vector<std::int64_t>& lengths : step.documents) {
        const std::int64_t total = std::accumulate(lengths.begin(), lengths.end(), step.padding);
        if (total != width) {
          addProblem("input.documents",
                     fmt::format("'input.documents' and 'input.padding' add up to {} tokens, but a "
                                 "sequence has input.sequence_length + 1 = {}",
                                 total,
                                 width));
        }
      }
    }
    warnUnused({"schedule.micro_batches"},
               step.docsPerStep > 0,
               "schedule.docs_per_step decides how many there are");
  }

  /// Each kind becomes a run of its own, named floor.KIND.
  void checkNoiseFloor() {
    for (const std::string& kind : m_study.noiseFloor) {
      if (kind == "batch_order" && m_study.microBatchSize == 1) {
        addProblem("noise_floor",
                   "noise_floor: batch_order needs input.micro_batch_size 2 or more: one sequence "
                   "has no order");
      }
      const std::string run = noiseFloorRunName(kind);
      if (std::ranges::find(m_study.variants, run, &Variant::name) != m_study.variants.end()) {
        addProblem("noise_floor",
                   fmt::format("noise_floor: the run of {} is called '{}', and so is a variant; "
                               "rename the variant",
                               kind,
                               run));
      }
    }
  }

  void checkWithoutBackward() {
    constexpr std::string_view kWhy = "capture.backward is false";
    if (m_study.optimizer.type != OptimizerSettings::Type::None) {
      addProblem("optimizer.type",
                 fmt::format("optimizer.type '{}' needs gradients, but {}",
                             m_settings.text("optimizer.type"),
                             kWhy));
    }
    warnUnused({"capture.parameter_gradients"}, m_study.captureParameterGradients, kWhy);
    warnUnused({"gradient.scale", "precision.gradient_dtype"}, true, kWhy);
  }

  void checkOptimizer() {
    using Type = OptimizerSettings::Type;
    for (const std::string_view key : {"optimizer.beta1", "optimizer.beta2"}) {
      if (m_settings.number<double>(key) >= 1) {
        addProblem(key, fmt::format("'{}' must be below 1", key));
      }
    }
    const Type type = m_study.optimizer.type;
    const std::string why = fmt::format("optimizer.type is {}", m_settings.text("optimizer.type"));
    warnUnused({"optimizer.learning_rate", "optimizer.weight_decay", "precision.optimizer_dtype"},
               type == Type::None,
               why);
    warnUnused(
        {"optimizer.beta1", "optimizer.beta2", "optimizer.epsilon"}, type != Type::AdamW, why);
    warnUnused({"optimizer.momentum"}, type != Type::Sgd, why);
  }

  void checkBatch() {
    std::ranges::move(batchProblems(m_study), std::back_inserter(m_problems));
    warnUnused(
        {"batch.place", "batch.seed"}, !isSetAnywhere("batch.among"), "batch.among is set nowhere");
    warnUnused(
        {"batch.padding_side"}, !isSetAnywhere("batch.padding"), "batch.padding is set nowhere");
    warnUnused({"batch.generated"}, m_study.generated == 0, "input.generate is 0");
    if (m_study.generated > 0 && m_study.loss.needsPolicy()) {
      addProblem("input.generate",
                 "'input.generate' and a loss of grpo or gspo, which reads numbers of every token: "
                 "the tokens are chosen when the study runs");
    }
  }

  const CheckedSettings& m_settings;
  Study& m_study;
  std::vector<ValueProblem> m_problems;
};

}  // namespace

std::vector<ValueProblem> fillStudy(Study& study) {
  if (std::string& folder = study.settings.find("output_dir")->second.value; folder.empty()) {
    const std::string stem = study.file.stem().string();
    folder = "runs/" + (stem.empty() ? "study" : stem);
  }
  const CheckedSettings settings(study.settings, study.file);
  fillFields(settings, study);
  return KeyConflicts(settings, study).find();
}

}  // namespace ulp::study
