#include "runner/worker/capture/capture_observers.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <span>
#include <utility>

#include "core/base/text/format_number.h"
#include "runner/worker/capture/expert_rows.h"

namespace ulp::worker {
namespace {

bool isFloat32(double value) {
  return std::isnan(value) || static_cast<double>(static_cast<float>(value)) == value;
}

bool isLogits(const Site& site) {
  return site.name == "logits" && site.level == Level::Layer && site.pass == Pass::Forward;
}

template <class Scalar>
Result<report::Comparison> compareScalars(Scalar reference, Scalar variant, DType dtype) {
  const Site site{"loss", "loss", -1, Level::Layer, Pass::Forward};
  const numerics::TensorView left{.data = &reference, .dtype = dtype};
  const numerics::TensorView right{.data = &variant, .dtype = dtype};
  const auto moments = ULP_TRY(numerics::compare(left, right, {.threads = 1}));
  return report::makeComparison(site, left, right, moments);
}

}  // namespace

std::string ReferenceCaptures::whereTheyAre() const {
  std::string text = fmt::format("reference: {} tensors, {}, stay in memory for the comparisons",
                                 count(),
                                 formatBytes(bytes()));
  if (deviceBytes() > 0) {
    text += fmt::format("; {} on the device", formatBytes(deviceBytes()));
  }
  if (spilledBytes() > 0) {
    text += fmt::format("; {} of the micro-batches before the last in a file",
                        formatBytes(spilledBytes()));
  }
  return text;
}

Result<> ReferenceCaptures::put(const Site& site,
                                const engine::Capture& capture,
                                const PartIndex& at) {
  m_captures.resize(std::max(m_captures.size(), at.index + 1));
  const auto [entry, isNew] = m_captures[at.index].try_emplace(siteKey(site.pass, site.name),
                                                               Held{.isOfLast = at.isLast()});
  if (!isNew) {
    return {};
  }
  Held& held = entry->second;
  held.capture = capture;
  m_count += at.isLast() ? 1 : 0;
  if (m_holdsAll) {
    held.capture.again = {};
  } else if (capture.again) {
    held.capture.view.data = nullptr;
    held.capture.owner.reset();
    held.capture.device.reset();
    return {};
  }
  if (capture.device == nullptr) {
    return keepOnHost(held);
  }
  m_onDevice.push_back(&held);
  m_deviceBytes += capture.view.sizeBytes();
  return makeRoom();
}

Result<> ReferenceCaptures::leaveDevice() {
  m_room = {};
  return makeRoom();
}

Result<> ReferenceCaptures::makeRoom() {
  std::uint64_t room = 0;
  if (m_room) {
    room = ULP_TRY(m_room());
  }
  while (m_deviceBytes > room) {
    Held& last = *m_onDevice.back();
    const std::uint64_t bytes = last.capture.view.sizeBytes();
    ULP_TRY(keepOnHost(last));
    m_onDevice.pop_back();
    m_deviceBytes -= bytes;
  }
  return {};
}

Result<> ReferenceCaptures::keepOnHost(Held& held) {
  if (held.isOfLast) {
    if (held.capture.device != nullptr) {
      ULP_TRY(held.capture.device->leaveDevice());
    }
    m_bytes += held.capture.view.sizeBytes();
    return {};
  }
  if (m_spill == nullptr) {
    m_spill = ULP_TRY(CaptureSpill::create(m_spillFolder));
  }
  const engine::Capture onHost = ULP_TRY(held.capture.onHost());
  held.place = ULP_TRY(m_spill->put(onHost.view));
  held.capture = {.keys = held.capture.keys};
  return {};
}

std::vector<std::string> ReferenceCaptures::missingGradients(
    std::span<const report::Comparison> compared, std::span<const Site> uncompared) const {
  const std::string prefix = siteKey(Pass::ParameterGradient, "");
  std::set<std::string> missing;
  for (const Captures& captures : m_captures) {
    for (const auto& [key, held] : captures) {
      if (key.starts_with(prefix)) {
        missing.insert(key.substr(prefix.size()));
      }
    }
  }
  const auto remove = [&missing](const Site& site) {
    if (site.pass == Pass::ParameterGradient) {
      missing.erase(site.name);
    }
  };
  std::ranges::for_each(compared, remove, &report::Comparison::site);
  std::ranges::for_each(uncompared, remove);
  return {missing.begin(), missing.end()};
}

Result<std::optional<engine::Capture>> ReferenceCaptures::find(const Site& site,
                                                               const PartIndex& at) const {
  if (at.index >= m_captures.size()) {
    return std::nullopt;
  }
  const Captures& captures = m_captures[at.index];
  const auto found = captures.find(siteKey(site.pass, site.name));
  if (found == captures.end()) {
    return std::nullopt;
  }
  const Held& held = found->second;
  if (held.place) {
    engine::Capture capture = ULP_TRY(m_spill->get(*held.place));
    capture.keys = held.capture.keys;
    return capture;
  }
  return held.capture.again ? held.capture.again() : held.capture;
}

void ReferenceCaptures::restore(const std::string& site,
                                engine::Capture capture,
                                const PartIndex& at) {
  m_captures.resize(std::max(m_captures.size(), at.count));
  m_count += at.isLast() ? 1 : 0;
  m_bytes += capture.view.sizeBytes();
  m_captures[at.index].try_emplace(site,
                                   Held{.capture = std::move(capture), .isOfLast = at.isLast()});
}

Result<> ReferenceCaptures::visit(
    const std::function<Result<>(std::size_t, const std::string&, const engine::Capture&)>& visit)
    const {
  for (std::size_t microBatch = 0; microBatch < m_captures.size(); ++microBatch) {
    for (const auto& [site, held] : m_captures[microBatch]) {
      engine::Capture capture = held.capture;
      if (held.place) {
        capture = ULP_TRY(m_spill->get(*held.place));
        capture.keys = held.capture.keys;
      }
      ULP_TRY(visit(microBatch, site, capture));
    }
  }
  return {};
}

void ReferenceCaptures::clear() {
  m_choices.clear();
  m_onDevice.clear();
  m_captures.clear();
  m_spill.reset();
  m_count = 0;
  m_bytes = 0;
  m_deviceBytes = 0;
}

void RecordingObserver::microBatchBegins(std::size_t index, std::size_t count) {
  m_microBatch = {index, count};
  m_parts.progress.microBatch(m_microBatch);
}

Result<> RecordingObserver::observe(const Site& site, const engine::Capture& capture) {
  m_parts.progress.at(site.pass, site.name);
  ULP_TRY(take(site, capture, m_microBatch));
  if (m_parts.writer == nullptr || !m_microBatch.isLast()) {
    return {};
  }
  const std::string place = placeOf(site);
  const engine::Capture whole = ULP_TRY(whileDoing(place, kept(site, capture, m_microBatch)));
  const engine::Capture onHost = ULP_TRY(whileDoing(place, whole.onHost()));
  return m_parts.writer->put(site, onHost.view, m_parts.sampleLimit);
}

Result<> RecordingObserver::observeChoice(const engine::ExpertChoice& choice) {
  return whileDoing(choice.router.name, takeChoice(choice, m_microBatch));
}

Result<> ReferenceObserver::take(const Site& site,
                                 const engine::Capture& capture,
                                 const PartIndex& at) {
  return whileDoing(placeOf(site), m_captures.put(site, capture, at));
}

Result<> VariantObserver::take(const Site& site,
                               const engine::Capture& capture,
                               const PartIndex& at) {
  const std::string place = placeOf(site);
  const auto reference = ULP_TRY(whileDoing(place, m_captures.find(site, at)));
  if (reference && at.isLast() && ComparisonsUnderWay::takes(site, *reference, capture)) {
    return m_underWay.start(site, *reference, capture, m_comparisons);
  }
  ULP_TRY(m_underWay.finish(m_comparisons));
  return whileDoing(place, takeAtOnce(site, reference, capture, at));
}

Result<> VariantObserver::takeAtOnce(const Site& site,
                                     const std::optional<engine::Capture>& reference,
                                     const engine::Capture& capture,
                                     const PartIndex& at) {
  if (!reference && site.level == Level::Op) {
    return {};  // kernels differ in which of their operations they show (engine::Model::sites)
  }
  if (!reference) {
    return fail(ErrorCode::Internal, "the reference made no tensor here");
  }
  if (site.level == Level::Op && isUncompared(site, reference->view, capture.view)) {
    return {};
  }
  const std::string key = siteKey(site.pass, site.name);
  Earlier total;
  if (auto earlier = m_earlier.extract(key)) {
    total = std::move(earlier.mapped());
  }
  ULP_TRY(compare(total, *reference, capture));
  if (site.pass == Pass::Forward) {
    ULP_TRY(m_choices.addOutput(site.name, *reference, capture));
  }
  if (at.isLast()) {
    m_comparisons.push_back(comparisonOf(site, *reference, capture, total));
  } else {
    m_earlier.emplace(key, std::move(total));
  }
  if (m_positions.takes(site, capture)) {
    const auto tops = ULP_TRY(m_positions.add(site, *reference, capture));
    m_topAgreement.rows += tops.rows;
    m_topAgreement.same += tops.same;
    return {};
  }
  return isLogits(site) ? compareTops(*reference, capture) : Result<>();
}

Result<> VariantObserver::compare(Earlier& total,
                                  const engine::Capture& reference,
                                  const engine::Capture& variant) {
  if (!reference.keys || !variant.keys) {
    return m_comparer.accumulate(total.moments, reference, variant);
  }
  AlignedRows rows = ULP_TRY(alignRows(reference, variant));
  total.onlyReference += rows.onlyReference;
  total.onlyVariant += rows.onlyVariant;
  const bool isEmpty = rows.places.empty();
  total.places.push_back(std::move(rows.places));
  return isEmpty ? Result<>() : m_comparer.accumulate(total.moments, rows.reference, rows.variant);
}

Result<engine::Capture> VariantObserver::kept(const Site& site,
                                              const engine::Capture& capture,
                                              const PartIndex& at) {
  if (!capture.keys) {
    return capture;
  }
  const auto reference = ULP_TRY(m_captures.find(site, at));
  return reference && reference->keys ? rowsOfReference(*reference, capture) : capture;
}

report::Comparison VariantObserver::comparisonOf(const Site& site,
                                                 const engine::Capture& reference,
                                                 const engine::Capture& variant,
                                                 Earlier& total) {
  if (total.places.empty()) {
    return report::makeComparison(site, reference.view, variant.view, total.moments);
  }
  const std::vector<numerics::WorstElement> worst = std::exchange(total.moments.worst, {});
  auto comparison = report::makeComparison(site, reference.view, variant.view, total.moments);
  comparison.onlyReference = total.onlyReference;
  comparison.onlyVariant = total.onlyVariant;
  std::size_t width = 1;
  for (std::size_t i = 1; i < reference.view.shape.size(); ++i) {
    width *= static_cast<std::size_t>(reference.view.shape[i]);
  }
  for (const numerics::WorstElement& element : worst) {
    std::uint64_t row = element.flat / width;
    std::size_t microBatch = 0;
    while (row >= total.places.at(microBatch).size()) {
      row -= total.places[microBatch++].size();
    }
    auto index =
        numerics::unravel(element.flat % width, std::span(reference.view.shape).subspan(1));
    index.insert(index.begin(), static_cast<std::int64_t>(total.places[microBatch][row]));
    comparison.worst.push_back({.index = std::move(index),
                                .reference = element.reference,
                                .variant = element.candidate,
                                .microBatch = microBatch});
  }
  return comparison;
}

bool VariantObserver::isUncompared(const Site& site,
                                   const numerics::TensorView& reference,
                                   const numerics::TensorView& variant) {
  if (std::ranges::find(m_uncompared, site) != m_uncompared.end()) {
    return true;
  }
  const bool isOther = reference.shape != variant.shape;
  if (isOther) {
    m_uncompared.push_back(site);
  }
  return isOther;
}

Result<> VariantObserver::compareTops(const engine::Capture& reference,
                                      const engine::Capture& variant) {
  const auto agreement = ULP_TRY(m_comparer.topAgreement(reference, variant));
  m_topAgreement.rows += agreement.rows;
  m_topAgreement.same += agreement.same;
  return {};
}

void VariantObserver::restart() {
  m_underWay.drop();
  m_choices.restart();
  m_positions.restart();
  m_earlier.clear();
  m_comparisons.clear();
  m_topAgreement = {};
  m_uncompared.clear();
}

std::vector<Site> VariantObserver::takeUncompared() {
  return std::exchange(m_uncompared, {});
}

std::vector<report::Comparison> VariantObserver::takeComparisons() {
  return std::exchange(m_comparisons, {});
}

Result<> addLossRow(std::vector<report::Comparison>& comparisons,
                    double reference,
                    double variant) {
  if (std::ranges::any_of(comparisons, [](const auto& row) { return row.site.name == "loss"; })) {
    return {};
  }
  auto row =
      ULP_TRY(isFloat32(reference) && isFloat32(variant)
                  ? compareScalars(
                        static_cast<float>(reference), static_cast<float>(variant), DType::Float32)
                  : compareScalars(reference, variant, DType::Float64));
  const auto place = std::ranges::find_if(
      comparisons, [](const auto& each) { return each.site.pass != Pass::Forward; });
  comparisons.insert(place, std::move(row));
  return {};
}

}  // namespace ulp::worker
