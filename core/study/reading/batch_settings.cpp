#include "core/study/reading/batch_settings.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <string_view>

#include "core/base/text/parse_number.h"

namespace ulp::study {
namespace {

std::string_view textOf(const Settings& settings, std::string_view key) {
  const auto found = settings.find(key);
  return found == settings.end() ? std::string_view() : std::string_view(found->second.value);
}

template <class Number>
Number numberOf(const Settings& settings, std::string_view key) {
  return parseNumber<Number>(textOf(settings, key)).value_or(0);
}

/// In the file; of what the command line sets there is none.
SourcePosition positionOf(const Settings& settings, std::string_view key) {
  const Setting& setting = settings.find(key)->second;
  return setting.origin == Origin::CommandLine ? SourcePosition{} : setting.position;
}

/// Several runs may have a setting from the same line.
void addOnce(std::vector<ValueProblem>& problems, SourcePosition position, std::string message) {
  const bool isKnown = std::ranges::any_of(problems, [&](const ValueProblem& known) {
    return known.position.line == position.line && known.position.column == position.column &&
           known.message == message;
  });
  if (!isKnown) {
    problems.push_back({position, std::move(message)});
  }
}

/// Padding and pieces: what they change beside the number of sequences.
void checkReshaped(const Study& study,
                   const Settings& settings,
                   std::string_view key,
                   std::vector<ValueProblem>& problems) {
  const bool isOfStudy = study.settings.contains(key);
  const SourcePosition position = positionOf(isOfStudy ? study.settings : settings, key);
  const bool isPacked = std::ranges::any_of(
      study.step.documents, [](const auto& documents) { return documents.size() > 1; });
  if (isPacked || study.step.padding > 0) {
    addOnce(problems,
            position,
            fmt::format("'{}' needs sequences of one document without padding of their own; leave "
                        "{} out",
                        key,
                        isPacked ? "input.documents" : "input.padding"));
  }
  if (textOf(settings, "semantics") == "fast_llm") {
    addOnce(
        problems,
        position,
        fmt::format("'{}' needs semantics: transformers; Fast-LLM trains, and has neither masks "
                    "of padding nor a cache of keys and values",
                    key));
  }
}

void checkRun(const Study& study, const Settings& settings, std::vector<ValueProblem>& problems) {
  const BatchSettings batch = batchSettings(study, settings);
  const std::string place =
      study.microBatchSize > 0 ? placeProblem(batch, study.microBatchSize) : std::string();
  if (!place.empty()) {
    addOnce(problems, positionOf(settings, "batch.among"), place);
  }
  if (batch.padding > 0) {
    checkReshaped(study, settings, "batch.padding", problems);
  }
  if (batch.chunkLength > 0) {
    checkReshaped(study, settings, "batch.chunk_length", problems);
  }
  if (study.generated > 0) {
    checkReshaped(study, settings, "input.generate", problems);
  }
  if (batch.cacheFormat && !batch.isCached()) {
    addOnce(
        problems,
        positionOf(settings, "batch.cache_dtype"),
        "'batch.cache_dtype' needs a cache, which there is where positions go through the model "
        "in pieces: batch.chunk_length, or input.generate with batch.generated: steps");
  }
  if (textOf(settings, "python.cache") != "{}") {
    const auto refuse = [&](std::string_view why) {
      addOnce(
          problems, positionOf(settings, "python.cache"), fmt::format("'python.cache' {}", why));
    };
    if (!batch.isCached()) {
      refuse(
          "needs a cache, which there is where positions go through the model in pieces: "
          "batch.chunk_length, or input.generate with batch.generated: steps");
    } else if (batch.cacheFormat) {
      refuse("and 'batch.cache_dtype' both say what keys and values are kept in; leave one out");
    }
  }
  if (!batch.isPlain() && textOf(settings, "precision.rounding") == "stochastic") {
    addOnce(problems,
            positionOf(settings, "precision.rounding"),
            "'precision.rounding' stochastic draws by the place in a tensor, which the keys of "
            "'batch' change: what differs would be the draws");
  }
}

}  // namespace

BatchSettings batchSettings(const Study& study, const Settings& settings) {
  const auto among = numberOf<std::int64_t>(settings, "batch.among");
  return {.among = among,
          .place = among == 0 ? 0 : numberOf<std::int64_t>(settings, "batch.place"),
          .seed = numberOf<std::uint64_t>(settings, "batch.seed"),
          .padding = numberOf<std::int64_t>(settings, "batch.padding"),
          .isPaddedLeft = textOf(settings, "batch.padding_side") != "right",
          .chunkLength = numberOf<std::int64_t>(settings, "batch.chunk_length"),
          .generatesInSteps = study.generated > 0 && textOf(settings, "batch.generated") == "steps",
          .cacheFormat = numerics::parseNumberFormat(textOf(settings, "batch.cache_dtype"))};
}

std::string placeProblem(const BatchSettings& batch, std::int64_t sequences) {
  if (batch.among == 0 || batch.place + sequences <= batch.among) {
    return {};
  }
  return fmt::format("'batch.among': {} sequences have no room for the {} of a micro-batch{}",
                     batch.among,
                     sequences,
                     batch.place > 0 ? fmt::format(" from place {} on", batch.place) : "");
}

std::vector<ValueProblem> batchProblems(const Study& study) {
  std::vector<ValueProblem> problems;
  std::vector<std::string_view> runs{kReferenceName};
  for (const Variant& variant : study.variants) {
    runs.push_back(variant.name);
  }
  for (const std::string_view run : runs) {
    if (const auto settings = effectiveSettings(study, run)) {
      checkRun(study, *settings, problems);
    }
  }
  return problems;
}

}  // namespace ulp::study
