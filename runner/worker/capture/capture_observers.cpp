#include "runner/worker/capture/capture_observers.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

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

Result<> ReferenceCaptures::put(const Site& site,
                                const engine::Capture& capture,
                                const PartIndex& at) {
  std::string key = siteKey(site.pass, site.name);
  if (!at.isLast()) {
    if (m_spill == nullptr) {
      m_spill = ULP_TRY(CaptureSpill::create(m_spillFolder));
    }
    auto place = ULP_TRY(m_spill->put(capture));
    m_places.resize(std::max(m_places.size(), at.index + 1));
    m_places[at.index].emplace(std::move(key), std::move(place));
    return {};
  }
  engine::Capture held = capture;
  if (held.again) {
    held.owner.reset();
    held.view.data = nullptr;
  }
  const std::uint64_t bytes = held.again ? 0 : held.view.sizeBytes();
  if (m_captures.emplace(std::move(key), std::move(held)).second) {
    m_bytes += bytes;
  }
  return {};
}

Result<std::optional<engine::Capture>> ReferenceCaptures::find(const Site& site,
                                                               const PartIndex& at) const {
  const std::string key = siteKey(site.pass, site.name);
  if (at.isLast()) {
    const auto found = m_captures.find(key);
    if (found == m_captures.end()) {
      return std::nullopt;
    }
    return found->second.again ? found->second.again() : found->second;
  }
  if (at.index >= m_places.size() || !m_places[at.index].contains(key)) {
    return std::nullopt;
  }
  return ULP_TRY(m_spill->get(m_places[at.index].at(key)));
}

void ReferenceCaptures::clear() {
  m_captures.clear();
  m_places.clear();
  m_spill.reset();
  m_bytes = 0;
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
  return m_parts.writer->put(site, capture.view, m_parts.sampleLimit);
}

Result<> ReferenceObserver::take(const Site& site,
                                 const engine::Capture& capture,
                                 const PartIndex& at) {
  return m_captures.put(site, capture, at);
}

Result<> VariantObserver::take(const Site& site,
                               const engine::Capture& capture,
                               const PartIndex& at) {
  const auto reference = ULP_TRY(m_captures.find(site, at));
  if (!reference && site.level == Level::Op) {
    return {};  // kernels differ in which of their operations they show (engine::Model::sites)
  }
  if (!reference) {
    return fail(
        ErrorCode::Internal,
        fmt::format("{}, {}: the reference made no tensor here", site.name, toString(site.pass)));
  }
  const std::string key = siteKey(site.pass, site.name);
  numerics::Moments total;
  if (auto earlier = m_earlier.extract(key)) {
    total = std::move(earlier.mapped());
  }
  const numerics::TensorView& view = reference->view;
  if (auto added = m_comparer.accumulate(total, view, capture.view); !added) {
    return fail(added.error().code(),
                fmt::format("{}, {}: {}", site.name, toString(site.pass), added.error().message()));
  }
  if (at.isLast()) {
    m_comparisons.push_back(report::makeComparison(site, view, capture.view, total));
  } else {
    m_earlier.emplace(key, std::move(total));
  }
  return isLogits(site) ? compareTops(view, capture.view) : Result<>();
}

Result<> VariantObserver::compareTops(const numerics::TensorView& reference,
                                      const numerics::TensorView& variant) {
  const auto agreement = ULP_TRY(numerics::topAgreement(reference, variant));
  m_topAgreement.rows += agreement.rows;
  m_topAgreement.same += agreement.same;
  return {};
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
