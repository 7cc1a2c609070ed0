#include "runner/worker/capture_observers.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "core/numerics/comparison.h"

namespace ulp::worker {
namespace {

bool isFloat32(double value) {
  return std::isnan(value) || static_cast<double>(static_cast<float>(value)) == value;
}

template <class Scalar>
Result<report::Comparison> compareScalars(Scalar reference, Scalar variant, DType dtype) {
  const Site site{"loss", "loss", -1, Level::Layer, Pass::Forward};
  const numerics::TensorView left{.data = &reference, .dtype = dtype, .shape = {}};
  const numerics::TensorView right{.data = &variant, .dtype = dtype, .shape = {}};
  const auto moments = numerics::compare(left, right, {.threads = 1});
  if (!moments) {
    return tl::unexpected(moments.error());
  }
  return report::makeComparison(site, left, right, *moments);
}

}  // namespace

void ReferenceCaptures::put(const Site& site, const engine::Capture& capture) {
  engine::Capture held = capture;
  if (held.again) {
    held.owner.reset();
    held.view.data = nullptr;
  }
  const std::uint64_t bytes = held.again ? 0 : held.view.sizeBytes();
  if (m_captures.emplace(siteKey(site.pass, site.name), std::move(held)).second) {
    m_bytes += bytes;
  }
}

std::optional<engine::Capture> ReferenceCaptures::find(const Site& site) const {
  const auto found = m_captures.find(siteKey(site.pass, site.name));
  if (found == m_captures.end()) {
    return std::nullopt;
  }
  return found->second.again ? found->second.again() : found->second;
}

void ReferenceCaptures::clear() {
  m_captures.clear();
  m_bytes = 0;
}

Result<> RecordingObserver::observe(const Site& site, const engine::Capture& capture) {
  m_parts.progress.at(site.pass, site.name);
  if (auto taken = take(site, capture); !taken) {
    return taken;
  }
  if (m_parts.writer == nullptr) {
    return {};
  }
  return m_parts.writer->put(site, capture.view, m_parts.sampleLimit);
}

Result<> ReferenceObserver::take(const Site& site, const engine::Capture& capture) {
  m_captures.put(site, capture);
  return {};
}

Result<> VariantObserver::take(const Site& site, const engine::Capture& capture) {
  const std::optional<engine::Capture> reference = m_captures.find(site);
  if (!reference && site.level == Level::Op) {
    return {};  // kernels differ in which of their operations they show (engine::Model::sites)
  }
  if (!reference) {
    return fail(
        ErrorCode::Internal,
        fmt::format("{}, {}: the reference made no tensor here", site.name, toString(site.pass)));
  }
  const auto moments = m_comparer.compare(reference->view, capture.view);
  if (!moments) {
    return fail(
        moments.error().code(),
        fmt::format("{}, {}: {}", site.name, toString(site.pass), moments.error().message()));
  }
  m_comparisons.push_back(report::makeComparison(site, reference->view, capture.view, *moments));
  return {};
}

std::vector<report::Comparison> VariantObserver::takeComparisons() {
  return std::exchange(m_comparisons, {});
}

Result<> addLossRow(std::vector<report::Comparison>& comparisons,
                    double reference,
                    double variant) {
  const auto isLoss = [](const report::Comparison& row) { return row.site.name == "loss"; };
  if (std::any_of(comparisons.begin(), comparisons.end(), isLoss)) {
    return {};
  }
  auto row = isFloat32(reference) && isFloat32(variant)
                 ? compareScalars(
                       static_cast<float>(reference), static_cast<float>(variant), DType::Float32)
                 : compareScalars(reference, variant, DType::Float64);
  if (!row) {
    return tl::unexpected(row.error());
  }
  const auto place = std::find_if(comparisons.begin(), comparisons.end(), [](const auto& each) {
    return each.site.pass != Pass::Forward;
  });
  comparisons.insert(place, *std::move(row));
  return {};
}

}  // namespace ulp::worker
