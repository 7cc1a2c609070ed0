#include "runner/worker/session/engine_settings.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <system_error>

#include "core/study/schema/schema.h"

namespace ulp::worker {
namespace {

using numerics::Operation;

/// Keys of runs that torch or transformers have themselves.
constexpr std::array<std::string_view, 8> kOfTorch{"precision.compute_dtype",
                                                   "precision.cast",
                                                   "precision.rules",
                                                   "precision.lm_head_dtype",
                                                   "attention.implementation",
                                                   "matmul.float32_precision",
                                                   "runtime.threads",
                                                   "runtime.deterministic"};
constexpr std::array<std::string_view, 13> kOfPython{"precision.autocast",
                                                     "python.compile_backend",
                                                     "python.prepare",
                                                     "python.compile",
                                                     "python.compile_mode",
                                                     "python.quantization",
                                                     "python.device",
                                                     "python.device_map",
                                                     "python.cache",
                                                     "python.ranks",
                                                     "python.parallel",
                                                     "python.reduce",
                                                     "python.launcher"};
/// What is known of a whole model in one process.
constexpr std::array<std::string_view, 5> kOfOneRank{"precision.lm_head_dtype",
                                                     "precision.rules",
                                                     "python.compile",
                                                     "python.quantization",
                                                     "python.device_map"};
/// What keys and values may be kept in; torch has no elements of the others.
constexpr std::array<std::string_view, 6> kCacheFormats{
    "float64", "float32", "bfloat16", "float16", "float8_e4m3fn", "float8_e5m2"};
/// Of these a model of one's own decides itself.
constexpr std::array<std::string_view, 6> kOfTransformers{"precision.lm_head_dtype",
                                                          "attention.implementation",
                                                          "python.quantization",
                                                          "python.device_map",
                                                          "python.cache",
                                                          "python.ranks"};

/// A loss of one's own is computed of tokens alone.
constexpr std::array<std::string_view, 8> kOfLoss{"input.documents",
                                                  "input.padding",
                                                  "input.generate",
                                                  "input.unlabelled",
                                                  "schedule.docs_per_step",
                                                  "loss.type",
                                                  "loss.terms",
                                                  "loss.logits_scale"};

template <std::size_t kSize>
bool isOneOf(std::string_view key, const std::array<std::string_view, kSize>& keys) {
  return std::ranges::find(keys, key) != keys.end();
}

class EngineCheck {
 public:
  EngineCheck(const study::Study& study, const std::vector<PlannedRun>& runs, EngineKind engine)
      : m_study(study), m_runs(runs), m_engine(engine) {}

  [[nodiscard]] Result<> run() && {
    if (!m_study.modelFactory.empty()) {
      for (const std::string_view key : kOfLoss) {
        checkOfLoss(key);
      }
      checkFile("model.factory", m_study.settings.find("model.factory")->second);
    }
    for (const PlannedRun& planned : m_runs) {
      for (const auto& [path, setting] : planned.settings) {
        const study::Key* key = study::findKey(path);
        const bool isSet = setting.origin != study::Origin::Default &&
                           setting.origin != study::Origin::ReferenceFp32 && !setting.follows;
        if (isSet && key != nullptr && key->scope == study::KeyScope::Run &&
            setting.value != key->defaultText) {
          checkLever(planned, path, setting);
        }
      }
    }
    return m_problems.empty()
               ? Result<>()
               : fail(ErrorCode::InvalidArgument, fmt::format("{}", fmt::join(m_problems, "\n")));
  }

 private:
  void checkOfLoss(std::string_view key) {
    const study::Setting& setting = m_study.settings.find(key)->second;
    if (setting.value != study::findKey(key)->defaultText) {
      add(key, setting, "a model of model.factory has a loss of its own");
    }
  }

  void checkLever(const PlannedRun& planned, std::string_view key, const study::Setting& setting) {
    if (m_engine == EngineKind::Native) {
      if (isOneOf(key, kOfPython)) {
        add(key, setting, "is a lever of the Python engine; say `engine: python`");
      } else if (key == "attention.implementation" && !planned.precision.python.attention.empty()) {
        add(key,
            setting,
            "is an implementation of transformers, which the Python engine runs; say `engine: "
            "python`");
      }
    } else if (!isOneOf(key, kOfTorch) && !isOneOf(key, kOfPython) && !key.starts_with("batch.")) {
      add(key,
          setting,
          "is a lever of the native engine; the Python engine runs the modules of the model as "
          "they are");
    } else if (!m_study.modelFactory.empty() &&
               (isOneOf(key, kOfTransformers) || key.starts_with("batch."))) {
      add(key,
          setting,
          "a model of model.factory decides this itself; change it in python.prepare");
    } else if (key == "batch.cache_dtype" && !isOneOf(setting.value, kCacheFormats)) {
      add(key,
          setting,
          fmt::format("the Python engine keeps keys and values in {}",
                      fmt::join(kCacheFormats, ", ")));
    } else if (key == "python.cache" && m_study.captureBackward &&
               setting.value.find("quanto") == std::string::npos) {
      add(key,
          setting,
          "no gradient goes back through this cache of transformers; say `capture.backward: "
          "false`, or take backend: quanto");
    } else {
      checkRanks(planned, key, setting);
      if (key == "python.prepare") {
        checkFile(key, setting);
      }
      if (key == "precision.rules") {
        checkRules(planned, setting);
      }
    }
  }

  /// Of FILE.py:FUNCTION: Python would miss it when the runs before this one are made.
  void checkFile(std::string_view key, const study::Setting& setting) {
    const std::string function = study::resolveFunction(m_study, setting.value);
    const std::filesystem::path file = function.substr(0, function.rfind(':'));
    std::error_code unknown;
    if (!std::filesystem::exists(file, unknown)) {
      add(key, setting, fmt::format("there is no {}", file.string()));
    }
  }

  void checkRanks(const PlannedRun& planned, std::string_view key, const study::Setting& setting) {
    const int ranks = planned.precision.python.ranks;
    if (ranks > 1 && isOneOf(key, kOfOneRank)) {
      add(key,
          setting,
          fmt::format("is not there with python.ranks: {}, which divide the model; take one rank",
                      ranks));
    } else if (ranks > 1 && planned.precision.python.parallel == "fsdp" &&
               key.starts_with("batch.")) {
      add(key, setting, "ranks divide the sequences with python.parallel: fsdp; take tensor");
    } else if (key == "python.reduce" && ranks == 1) {
      add(key, setting, "one rank has nothing to add up; set python.ranks");
    }
  }

  /// A module of PyTorch has one format, and the same in both passes.
  void checkRules(const PlannedRun& planned, const study::Setting& setting) {
    for (const engine::PrecisionRule& rule : planned.precision.rules) {
      numerics::FormatOverrides computeAlone;
      computeAlone[Operation::Compute] = rule.formats[Operation::Compute];
      const bool isPossible = rule.passes == engine::PrecisionRule::Passes::Both &&
                              rule.formats[Operation::Compute] && rule.formats == computeAlone;
      if (!isPossible) {
        add("precision.rules",
            setting,
            fmt::format("'{}': rules of the Python engine have compute_dtype alone, in both passes",
                        rule.match));
      }
    }
  }

  void add(std::string_view key, const study::Setting& setting, const std::string& why) {
    const std::string place = study::placeOf(m_study, key, setting);
    std::string problem =
        fmt::format("{}{}{}: {}: {}", place, place.empty() ? "" : ": ", key, setting.value, why);
    if (m_known.insert(problem).second) {
      m_problems.push_back(std::move(problem));
    }
  }

  const study::Study& m_study;
  const std::vector<PlannedRun>& m_runs;
  EngineKind m_engine;
  std::set<std::string> m_known;
  std::vector<std::string> m_problems;
};

}  // namespace

Result<> checkEngineSettings(const study::Study& study,
                             const std::vector<PlannedRun>& runs,
                             EngineKind engine) {
  return EngineCheck(study, runs, engine).run();
}

}  // namespace ulp::worker
