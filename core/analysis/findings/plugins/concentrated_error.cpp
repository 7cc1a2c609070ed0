#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <unordered_set>

#include "core/analysis/findings/finding_rule.h"

namespace ulp::analysis {

namespace {

using report::Comparison;
using report::Finding;

constexpr std::size_t kWorstForChannel = 4;
/// Of fewer elements one makes a good part of any error.
constexpr std::uint64_t kFewestElements = 16;

/// The part of the sum of squared differences that one element makes.
double shareOfWorst(const RuleInput& input, const Comparison& row) {
  const double rms = input.difference(row);
  const double largest = input.largest(row);
  if (row.variantNonFinite.total() > 0) {
    return std::nan("");  // what is left of the tensor says nothing of its errors
  }
  const double share = largest * largest / (rms * rms * static_cast<double>(row.compared));
  return rms > 0 && row.compared >= kFewestElements ? std::min(share, 1.0) : std::nan("");
}

/// Position in the last dimension that all worst elements share; -1: there is none.
std::int64_t channelOf(const Comparison& row) {
  if (row.worst.size() < kWorstForChannel || row.shape.size() < 2) {
    return -1;
  }
  const auto channel = [](const report::WorstPair& pair) {
    return pair.index.empty() ? -1 : pair.index.back();
  };
  const std::int64_t first = channel(row.worst.front());
  const bool isShared =
      std::ranges::all_of(row.worst, [&](const auto& pair) { return channel(pair) == first; });
  return isShared ? first : -1;
}

/// "mlp.down_proj" of "model.layers.11.mlp.down_proj", "decoder" of "decoder.11", else the name.
std::string kindOf(const Site& site) {
  if (site.layer < 0) {
    return site.name;
  }
  const std::string number = "." + std::to_string(site.layer);
  const std::size_t place = site.name.find(number + ".");
  if (place != std::string::npos) {
    return site.name.substr(place + number.size() + 1);
  }
  return site.name.substr(0, site.name.rfind(number));
}

/// All tensors of a kind in a pass of a run with the same cause, over layers.
struct ErrorGroup {
  std::string run;
  std::string kind;
  Pass pass = Pass::Forward;
  std::int64_t channel = -1;  ///< -1: single elements
  std::vector<const Comparison*> rows;
  const Comparison* worst = nullptr;
  double strength = 0;  ///< share of the squared error, or max |d| / RMS of d
};

class ErrorGroups {
 public:
  void add(const std::string& run,
           const Comparison& row,
           const std::string& kind,
           std::int64_t channel,
           double strength) {
    const auto [place, isNew] =
        m_index.try_emplace({run, kind, row.site.pass, channel}, m_groups.size());
    if (isNew) {
      m_groups.push_back({.run = run, .kind = kind, .pass = row.site.pass, .channel = channel});
    }
    ErrorGroup& group = m_groups[place->second];
    group.rows.push_back(&row);
    if (strength > group.strength) {
      group.strength = strength;
      group.worst = &row;
    }
  }
  [[nodiscard]] const std::vector<ErrorGroup>& all() const { return m_groups; }

 private:
  std::map<std::tuple<std::string, std::string, Pass, std::int64_t>, std::size_t> m_index;
  std::vector<ErrorGroup> m_groups;
};

ErrorGroups collectGroups(const RuleInput& input) {
  const double share = input.threshold("concentrated_error.share");
  const double peak = input.threshold("concentrated_error.peak");
  ErrorGroups groups;
  for (const report::Run* run : input.variants()) {
    for (const Comparison& row : run->comparisons) {
      if (input.isDerived(row)) {
        continue;
      }
      const double elementShare = shareOfWorst(input, row);
      if (elementShare >= share) {
        groups.add(run->name, row, kindOf(row.site), -1, elementShare);
      }
      const double ratio = input.largest(row) / input.difference(row);
      const std::int64_t channel = ratio >= peak ? channelOf(row) : -1;
      if (channel >= 0) {
        groups.add(run->name, row, {}, channel, ratio);
      }
    }
  }
  return groups;
}

std::size_t tensorsOf(const ErrorGroup& group) {
  return group.rows.size();
}

report::Sentence titleOf(const FoundInRuns<ErrorGroup>& found) {
  const ErrorGroup& group = found.first();
  const std::string tensors = found.numbers(tensorsOf);
  const std::string place = placeText(group.worst->site);
  if (group.channel >= 0) {
    return {ULP_TR_NOOP("Channel %1 holds all the worst elements of %2 tensors; the error peaks at "
                        "%3 with %4 times its RMS (%5)"),
            {std::to_string(group.channel),
             tensors,
             place,
             found.numbers(&ErrorGroup::strength),
             found.names()}};
  }
  return {
      ULP_TR_NOOP("One element makes %1 of the squared error at %2; tensors of this kind: %3 (%4)"),
      {found.percents(&ErrorGroup::strength), place, tensors, found.names()}};
}

/// Where the error is worst, then every other tensor of a run in which it is concentrated.
std::vector<Site> sitesOf(const FoundInRuns<ErrorGroup>& found) {
  std::vector<Site> sites{found.first().worst->site};
  std::unordered_set<std::string_view> known{found.first().worst->site.name};
  for (const ErrorGroup& group : found.items()) {
    for (const Comparison* row : group.rows) {
      if (known.insert(row->site.name).second) {
        sites.push_back(row->site);
      }
    }
  }
  return sites;
}

Finding findingOf(const RuleInput& input, const FoundInRuns<ErrorGroup>& found) {
  const ErrorGroup& group = found.first();
  Finding finding;
  finding.severity = report::FindingSeverity::Note;
  finding.title = titleOf(found);
  if (group.channel >= 0) {
    finding.explanation = {
        ULP_TR_NOOP(
            "All elements of largest difference that the report lists have the same position in "
            "the last dimension, and the largest difference is at least %1 times the RMS of the "
            "difference. Mean errors then say little of the other channels."),
        {numberText(input.threshold("concentrated_error.peak"))}};
    finding.numbers = {{ULP_TR_NOOP("channel"), static_cast<double>(group.channel)}};
    found.tell(finding, ULP_TR_NOOP("largest difference over RMS"), &ErrorGroup::strength);
  } else {
    finding.explanation = {
        ULP_TR_NOOP("The square of the largest difference is at least %1 of the sum of all squared "
                    "differences of the tensor: RMS errors describe one element."),
        {percentText(input.threshold("concentrated_error.share"))}};
    found.tell(finding, ULP_TR_NOOP("share of the squared error"), &ErrorGroup::strength, true);
  }
  found.tell(finding, ULP_TR_NOOP("tensors"), tensorsOf);
  finding.sites = sitesOf(found);
  return finding;
}

std::vector<Finding> findConcentratedErrors(const RuleInput& input) {
  std::vector<std::pair<std::string, ErrorGroup>> all;
  const ErrorGroups groups = collectGroups(input);
  const double fewest = input.threshold("concentrated_error.tensors");
  for (const ErrorGroup& group : groups.all()) {
    if (group.channel < 0 || static_cast<double>(group.rows.size()) >= fewest) {
      all.emplace_back(group.run, group);
    }
  }
  return mergedFindings(
      all,
      [](const ErrorGroup& group) {
        return std::tuple(group.kind, group.channel, group.worst->site);
      },
      [&](const auto& found) { return findingOf(input, found); });
}

}  // namespace

void registerConcentratedError(FindingRuleRegistry& registry) {
  registry.add(
      {.id = "concentrated_error",
       .title = ULP_TR_NOOP("Concentrated error"),
       .order = 50,
       .thresholds =
           {{.id = "concentrated_error.share",
             .label = ULP_TR_NOOP("Share of the squared error in one element"),
             .help = ULP_TR_NOOP(
                 "One element that makes this part of the sum of squared differences is reported"),
             .value = 0.5,
             .minimum = 0.01,
             .maximum = 1},
            {.id = "concentrated_error.tensors",
             .label = ULP_TR_NOOP("Tensors that share a channel"),
             .help = ULP_TR_NOOP("A channel is reported once it holds the worst elements of this "
                                 "many tensors of a pass"),
             .value = 3,
             .minimum = 1,
             .maximum = 1e6},
            {.id = "concentrated_error.peak",
             .label = ULP_TR_NOOP("Largest difference over RMS, for channels"),
             .help = ULP_TR_NOOP(
                 "From here on the worst elements are looked at for a channel that they share"),
             .value = 20,
             .minimum = 1,
             .maximum = 1e6}},
       .find = findConcentratedErrors});
}

}  // namespace ulp::analysis
