#include "runner/worker/capture/progress_meter.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "runner/worker/capture/site_filter.h"

namespace ulp::worker {

ProgressMeter::ProgressMeter(int runs, Emit emit, Now now)
    : m_runs(std::max(runs, 1)), m_emit(std::move(emit)), m_now(std::move(now)) {}

void ProgressMeter::phase(std::string_view run, std::string_view name) {
  m_run = run;
  report(name, "");
}

void ProgressMeter::choosing(std::string_view run, std::int64_t chosen, std::int64_t all) {
  if (m_toChoose == 0) {
    m_choiceStart = m_now();
    m_emitted = false;  // it is news
  }
  m_run = run;
  m_chosen = chosen;
  m_toChoose = all;
  m_choiceSeconds = std::chrono::duration<double>(m_now() - m_choiceStart).count();
  report("choose", fmt::format("{}/{}", chosen, all));
}

void ProgressMeter::beginRun(std::string_view run,
                             const std::vector<Site>& sites,
                             const PartIndex& sample) {
  m_run = run;
  m_sample = sample;
  m_inRun = true;
  m_runStart = m_now();
  m_place = 0;
  m_positions.clear();
  for (std::size_t i = 0; i < sites.size(); ++i) {
    m_positions.emplace(siteKey(sites[i].pass, sites[i].name), i);
    m_positions.emplace(siteKey(sites[i].pass, sites[i].module), i);
  }
  m_reached.assign(sites.size(), -1);
  m_passStart = m_runStart;
  m_microBatch = {};
  if (m_profile.size() != sites.size()) {
    m_profile.clear();
  }
}

void ProgressMeter::microBatch(const PartIndex& part) {
  m_microBatch = {.index = part.index, .count = std::max<std::size_t>(part.count, 1)};
  m_place = 0;
  if (part.index > 0) {
    m_passStart = m_now();
    m_reached.assign(m_reached.size(), -1);
  }
}

void ProgressMeter::at(Pass pass, std::string_view site) {
  const auto found = m_positions.find(siteKey(pass, site));
  if (found != m_positions.end()) {
    m_place = std::max(m_place, found->second);
    if (m_reached[found->second] < 0) {
      m_reached[found->second] = secondsSince(m_passStart);
    }
  }
  report(toString(pass == Pass::ParameterGradient ? Pass::Backward : pass), site);
}

void ProgressMeter::endRun(bool finished) {
  const double seconds = secondsSince(m_runStart);
  const double secondsOfPass = secondsSince(m_passStart);
  m_inRun = false;
  ++m_done;
  m_doneSeconds += seconds;
  if (!finished) {
    return;
  }
  if (!m_firstSeconds) {
    m_firstSeconds = seconds;
  } else {
    m_variantSeconds += seconds;
    ++m_variantsTimed;
  }
  m_profile.assign(m_reached.size(), 0);
  double latest = 0;
  for (std::size_t i = 0; i < m_reached.size(); ++i) {
    latest = std::max(latest, m_reached[i]);
    m_profile[i] = secondsOfPass > 0 ? latest / secondsOfPass : 0;
  }
}

void ProgressMeter::dropRuns(int count) {
  m_runs = std::max(m_runs - count, m_done + (m_inRun ? 1 : 0));
}

double ProgressMeter::secondsSince(Clock::time_point start) const {
  return m_inRun ? std::chrono::duration<double>(m_now() - start).count() : 0;
}

double ProgressMeter::positionInRun() const {
  if (!m_inRun || m_reached.empty()) {
    return 0;
  }
  const double inPass = m_profile.empty()
                            ? static_cast<double>(m_place) / static_cast<double>(m_reached.size())
                            : m_profile[m_place];
  return (static_cast<double>(m_microBatch.index) + inPass) /
         static_cast<double>(m_microBatch.count);
}

double ProgressMeter::expectedSeconds() const {
  if (m_variantsTimed > 0) {
    return m_variantSeconds / m_variantsTimed;
  }
  return m_firstSeconds.value_or(1);
}

std::optional<double> ProgressMeter::etaSeconds() const {
  if (!m_firstSeconds) {
    return std::nullopt;
  }
  const double expected = expectedSeconds();
  const int waiting = std::max(m_runs - m_done - (m_inRun ? 1 : 0), 0);
  return waiting * expected + (m_inRun ? (1 - positionInRun()) * expected : 0);
}

double ProgressMeter::samplesDone() const {
  return static_cast<double>(m_sample.index) + positionInRun();
}

std::optional<double> ProgressMeter::runEtaSeconds() const {
  const double left = static_cast<double>(m_sample.count) - samplesDone();
  return m_inRun && m_firstSeconds ? std::optional(left * expectedSeconds()) : std::nullopt;
}

std::optional<double> ProgressMeter::choiceEtaSeconds() const {
  return m_chosen > 0 ? std::optional(m_choiceSeconds * static_cast<double>(m_toChoose - m_chosen) /
                                      static_cast<double>(m_chosen))
                      : std::nullopt;
}

void ProgressMeter::report(std::string_view phase, std::string_view site) {
  const double expected = expectedSeconds();
  const double done = m_firstSeconds ? m_doneSeconds : m_done * expected;
  const int left = std::max(m_runs - m_done, 0);
  const double chosen =
      m_toChoose == 0 ? 0 : static_cast<double>(m_chosen) / static_cast<double>(m_toChoose);
  const double choice = m_toChoose == 0 ? 0 : m_firstSeconds ? m_choiceSeconds : expected;
  const double total = choice + done + left * expected;
  if (total > 0) {
    const double fraction = (chosen * choice + done + positionInRun() * expected) / total;
    m_fraction = std::clamp(fraction, m_fraction, 1.0);
  }
  const Clock::time_point now = m_now();
  if (m_emitted && now - m_lastEmit < kInterval) {
    return;
  }
  m_emitted = true;
  m_lastEmit = now;
  const bool isChoosing = !m_inRun && m_chosen < m_toChoose;
  m_emit(Progress{
      .run = m_run,
      .phase = std::string(phase),
      .site = std::string(site),
      .fraction = m_fraction,
      .etaSeconds = etaSeconds(),
      .runFraction = m_inRun ? std::optional(samplesDone() / static_cast<double>(m_sample.count))
                     : isChoosing ? std::optional(chosen)
                                  : std::nullopt,
      .runEtaSeconds = isChoosing ? choiceEtaSeconds() : runEtaSeconds()});
}

}  // namespace ulp::worker
