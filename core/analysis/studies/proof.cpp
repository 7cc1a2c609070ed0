#include "core/analysis/studies/proof.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "core/analysis/depth/run_difference.h"
#include "core/analysis/studies/study_paths.h"
#include "core/report/model/effective_config.h"
#include "core/study/editing/study_as_run.h"
#include "core/study/reading/study.h"

namespace ulp::analysis {
namespace {

using report::Sentence;

/// What says where something lies, which is another place on another machine.
constexpr std::array<std::string_view, 8> kPlaces{"output_dir",
                                                  "model.path",
                                                  "model.factory",
                                                  "input.path",
                                                  "input.tokenizer",
                                                  "loss.path",
                                                  "python.executable",
                                                  "device"};

double shareAt(const report::Report& report,
               const report::Run& run,
               std::string_view site,
               Pass pass) {
  const report::Comparison* row = findRow(run, site, pass);
  return row == nullptr ? std::numeric_limits<double>::quiet_NaN()
                        : metricOf(report, *row, "equal_fraction");
}

Result<CounterfactualVerdict> judge(const report::Report& report,
                                    const Counterfactual& counterfactual,
                                    const Site& first) {
  const report::Run* run = report.findRun(counterfactual.name);
  if (run == nullptr) {
    return fail(ErrorCode::Internal,
                fmt::format("the counterfactual study has no run '{}'", counterfactual.name));
  }
  const auto divergence = ULP_TRY(exactDivergence(report, *run));
  return CounterfactualVerdict{.name = counterfactual.name,
                               .cause = counterfactual.cause,
                               .change = counterfactual.change,
                               .keys = counterfactual.keys,
                               .isWhole = counterfactual.isWhole,
                               .siteShare = shareAt(report, *run, first.name, first.pass),
                               .logitsShare = shareAt(report, *run, "logits", Pass::Forward),
                               .equal = divergence.equal(),
                               .tensors = divergence.tensors()};
}

bool isSampled(const report::Run& run, const Site& site) {
  const report::Comparison* row = findRow(run, site.name, site.pass);
  return row != nullptr && isOfSamples(*row);
}

/// The runs that are to be explained, again: anything else would explain other numbers.
Result<> checkControl(const RunPair& pair,
                      const report::Report& report,
                      const CounterfactualVerdict& control,
                      const Site& first) {
  const report::Provenance& now = report.provenance;
  const report::Provenance& then = pair.baseline.loaded.report->provenance;
  if (now.weightsDigest != then.weightsDigest || now.tokenDigest != then.tokenDigest) {
    return fail(ErrorCode::InvalidArgument,
                "the model or the input is not what the runs were made of: their digests differ");
  }
  const double before = shareAt(*pair.report, *pair.rows, first.name, first.pass);
  // Shares of samples need not be those of whole tensors.
  const bool isRepeated =
      isSampled(*pair.rows, first) ? control.siteShare < 1 : control.siteShare == before;
  if (!isRepeated) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: {} of the elements were equal, and {} are when both runs are "
                            "repeated; another machine, version, device or number of threads made "
                            "them, so nothing is proved",
                            first.name,
                            equalShareText(before),
                            equalShareText(control.siteShare)));
  }
  return {};
}

/// Of a proof that has any.
const CounterfactualVerdict& mostEqual(const Proof& proof) {
  const bool areLogits = doLogitsDiffer(proof);
  return *std::ranges::max_element(
      proof.verdicts, {}, [areLogits](const CounterfactualVerdict& verdict) {
        return std::pair(areLogits ? verdict.logitsShare : 0, verdict.equal);
      });
}

/// Of the changes that do something, the one that says most; null: none does.
template <class Does>
const CounterfactualVerdict* narrowest(const Proof& proof, Does does) {
  const auto rank = [](const CounterfactualVerdict& v) { return std::pair(!v.isWhole, v.equal); };
  const CounterfactualVerdict* found = nullptr;
  for (const CounterfactualVerdict& verdict : proof.verdicts) {
    if (does(verdict) && (found == nullptr || rank(*found) < rank(verdict))) {
      found = &verdict;
    }
  }
  return found;
}

const CounterfactualVerdict* equalAtSite(const Proof& proof) {
  return narrowest(proof, [](const CounterfactualVerdict& v) { return v.siteShare == 1; });
}

std::vector<Sentence> sentencesOf(const Proof& proof, const CounterfactualVerdict& cause) {
  std::vector<Sentence> sentences{{ULP_TR_NOOP("cause: %1"), {cause.cause}}};
  if (cause.isEqual() && !doLogitsDiffer(proof)) {
    sentences.push_back(
        {ULP_TR_NOOP("With %1 alone every element of all %2 tensors is bit-equal to "
                     "%3 (proved by run '%4')."),
         {cause.change, std::to_string(cause.tensors), proof.baseline, cause.name}});
    return sentences;
  }
  if (cause.isEqual()) {
    sentences.push_back(
        {ULP_TR_NOOP("With %1 alone every logit, and every element of all %2 tensors, is bit-equal "
                     "to %3 (proved by run '%4')."),
         {cause.change, std::to_string(cause.tensors), proof.baseline, cause.name}});
    return sentences;
  }
  sentences.push_back({ULP_TR_NOOP("With %1 alone every logit is bit-equal to %2 (proved by run "
                                   "'%3')."),
                       {cause.change, proof.baseline, cause.name}});
  sentences.push_back(
      {ULP_TR_NOOP("%1 of %2 tensors differ all the same."),
       {std::to_string(cause.tensors - cause.equal), std::to_string(cause.tensors)}});
  return sentences;
}

using Said = std::map<std::string, std::string>;

/// What the text of a study says of its runs, but for the keys that the command line set.
std::optional<Said> saidOfRuns(std::string_view text, const std::vector<std::string>& set) {
  const auto study = study::parseStudy(text, "study");
  if (!study) {
    return std::nullopt;
  }
  Said said;
  const auto add = [&](const std::string& owner, const std::string& key, std::string value) {
    const bool isLeftOut =
        std::ranges::count(kPlaces, key) > 0 || std::ranges::count(set, owner + key) > 0;
    if (!isLeftOut) {
      // Where code lies is a place, too, and its function is not.
      const bool isCode = key == "python.prepare";
      said[owner + key] = isCode ? value.substr(value.rfind('/') + 1) : std::move(value);
    }
  };
  for (const auto& [key, setting] : study->settings) {
    add("", key, setting.value);
  }
  for (const auto& [key, setting] : study->reference) {
    add("reference.", key, setting.value);
  }
  for (const study::Variant& variant : study->variants) {
    said["variants." + variant.name];
    for (const auto& [key, setting] : variant.overrides) {
      add(fmt::format("variants.{}.", variant.name), key, setting.value);
    }
  }
  return said;
}

std::string_view lineOf(std::string_view text, int number) {
  for (int line = 1; line < number; ++line) {
    const std::size_t end = text.find('\n');
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  text = text.substr(0, text.find_first_of("\r\n"));
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text;
}

}  // namespace

Result<CounterfactualStudy> planProof(const RunPair& pair,
                                      const Site& first,
                                      const std::filesystem::path& output) {
  auto plan = ULP_TRY(planCounterfactuals({*pair.baseline.loaded.report, pair.baseline.run},
                                          {*pair.candidate.loaded.report, pair.candidate.run},
                                          first.module,
                                          output));
  plan.yaml =
      ULP_TRY(withFoundPaths(plan.yaml, "counterfactual study", startsOfPaths(pair.candidate)));
  return plan;
}

std::filesystem::path proofFolder(const NamedRun& candidate) {
  std::filesystem::path folder = candidate.loaded.folder;
  if (!folder.has_filename()) {
    folder = folder.parent_path();
  }
  return folder.parent_path() /
         fmt::format("{}_cause_{}", folder.filename().string(), candidate.run);
}

bool isOfPlan(std::string_view study, const CounterfactualStudy& plan) {
  const std::vector<std::string> set = study::keysSetInCopy(study);
  const auto planned = saidOfRuns(plan.yaml, set);
  return planned && saidOfRuns(study, set) == planned;
}

Result<Proof> judgeProof(const RunPair& pair,
                         const CounterfactualStudy& plan,
                         const report::Report& report,
                         const Site& first) {
  Proof proof{.site = first.name, .baseline = plan.baseline, .candidate = plan.candidate};
  proof.control =
      ULP_TRY(judge(report, {std::string(kUnchangedRun), "", "nothing", {}, {}}, first));
  ULP_TRY(checkControl(pair, report, proof.control, first));
  for (const Counterfactual& one : plan.counterfactuals) {
    auto verdict = ULP_TRY(judge(report, one, first));
    proof.verdicts.push_back(std::move(verdict));
  }
  return proof;
}

bool doLogitsDiffer(const Proof& proof) {
  return proof.control.logitsShare < 1;
}

const CounterfactualVerdict* causeOf(const Proof& proof) {
  const bool areLogits = doLogitsDiffer(proof);
  return narrowest(proof, [areLogits](const CounterfactualVerdict& v) {
    return areLogits ? v.logitsShare == 1 : v.isEqual();
  });
}

const CounterfactualVerdict* nearestTo(const Proof& proof) {
  if (const CounterfactualVerdict* cause = causeOf(proof)) {
    return cause;
  }
  if (const CounterfactualVerdict* atSite = equalAtSite(proof)) {
    return atSite;
  }
  return proof.verdicts.empty() ? nullptr : &mostEqual(proof);
}

std::vector<Sentence> proofSentences(const Proof& proof) {
  if (const CounterfactualVerdict* cause = causeOf(proof)) {
    return sentencesOf(proof, *cause);
  }
  std::vector<Sentence> sentences;
  if (const CounterfactualVerdict* atSite = equalAtSite(proof)) {
    sentences.push_back(
        {ULP_TR_NOOP("cause of the first difference: %1. With %2 alone %3 is bit-equal to %4 "
                     "(proved by run '%5')."),
         {atSite->cause, atSite->change, proof.site, proof.baseline, atSite->name}});
  }
  if (proof.verdicts.empty()) {
    return sentences;
  }
  const CounterfactualVerdict& best = mostEqual(proof);
  if (doLogitsDiffer(proof)) {
    sentences.push_back(
        {ULP_TR_NOOP("No single change makes all logits equal; most of them are with %1 (%2)."),
         {best.change, equalShareText(best.logitsShare)}});
  } else {
    sentences.push_back(
        {ULP_TR_NOOP("No single change makes all tensors equal; most of them are with %1 (%2 of "
                     "%3)."),
         {best.change, std::to_string(best.equal), std::to_string(best.tensors)}});
  }
  return sentences;
}

std::vector<SettingPlace> settingPlaces(const NamedRun& of, const std::vector<std::string>& keys) {
  const report::Report& report = *of.loaded.report;
  const auto study = study::parseStudy(report.studyYaml, "study.yaml");
  const auto config = report::effectiveConfig(report);
  if (!study || !config) {
    return {};
  }
  const auto settings = study::effectiveSettings(*study, of.run);
  const auto run = std::ranges::find(*config, of.run, &report::EffectiveConfig::value_type::first);
  if (!settings || run == config->end()) {
    return {};
  }
  std::vector<SettingPlace> places;
  for (const std::string& key : keys) {
    const auto used = run->second.find(key);
    const auto written = settings->find(key);
    if (used == run->second.end() || written == settings->end()) {
      continue;
    }
    SettingPlace place{.run = of.run, .key = key};
    if (used->second.origin == study::toString(study::Origin::CommandLine)) {
      place.text = fmt::format("--set {}={}", key, used->second.value);
    } else if (written->second.position.line > 0) {
      place.line = written->second.position.line;
      place.text = lineOf(report.studyYaml, place.line);
    } else {
      continue;
    }
    // What follows another key stands in that one's line.
    const bool isKnown = std::ranges::any_of(places, [&](const SettingPlace& other) {
      return other.line == place.line && other.text == place.text;
    });
    if (!isKnown) {
      places.push_back(std::move(place));
    }
  }
  return places;
}

}  // namespace ulp::analysis
