#include "runner/worker/capture/comparisons_under_way.h"

#include <fmt/format.h>
#include <utility>

namespace ulp::worker {
namespace {

std::uint64_t bytesOf(const engine::Capture& reference, const engine::Capture& variant) {
  return reference.view.sizeBytes() + variant.view.sizeBytes() +
         ComparisonsUnderWay::kBytesOfResult;
}

}  // namespace

std::string placeOf(const Site& site) {
  return fmt::format("{}, {}", site.name, toString(site.pass));
}

bool ComparisonsUnderWay::takes(const Site& site,
                                const engine::Capture& reference,
                                const engine::Capture& variant) {
  return site.pass == Pass::ParameterGradient && variant.device != nullptr && !reference.keys &&
         !variant.keys && bytesOf(reference, variant) <= kMostBytes;
}

Result<> ComparisonsUnderWay::start(const Site& site,
                                    const engine::Capture& reference,
                                    const engine::Capture& variant,
                                    std::vector<report::Comparison>& ended) {
  const std::uint64_t bytes = bytesOf(reference, variant);
  while (m_bytes + bytes > kMostBytes) {
    ULP_TRY(finishFirst(ended));
  }
  auto comparison = ULP_TRY(whileDoing(placeOf(site), m_comparer.start(reference, variant)));
  m_underWay.push_back({site, reference, variant, std::move(comparison)});
  m_bytes += bytes;
  return {};
}

Result<> ComparisonsUnderWay::finish(std::vector<report::Comparison>& ended) {
  while (!m_underWay.empty()) {
    ULP_TRY(finishFirst(ended));
  }
  return {};
}

void ComparisonsUnderWay::drop() {
  m_underWay.clear();
  m_bytes = 0;
}

Result<> ComparisonsUnderWay::finishFirst(std::vector<report::Comparison>& ended) {
  const UnderWay first = std::move(m_underWay.front());
  m_underWay.pop_front();
  m_bytes -= bytesOf(first.reference, first.variant);
  numerics::Moments moments;
  ULP_TRY(whileDoing(placeOf(first.site), first.comparison->addTo(moments)));
  ended.push_back(
      report::makeComparison(first.site, first.reference.view, first.variant.view, moments));
  return {};
}

}  // namespace ulp::worker
