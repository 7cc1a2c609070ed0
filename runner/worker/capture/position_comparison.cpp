#include "runner/worker/capture/position_comparison.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "core/numerics/comparison/row_errors.h"

namespace ulp::worker {
namespace {

using report::PositionError;
using report::PositionErrors;
using report::PositionRow;

PositionError positionError(const numerics::RowError& row) {
  const auto count = static_cast<double>(row.compared);
  return {.tokens = row.compared == 0
                        ? report::TokenError{}
                        : report::TokenError{.tokens = 1,
                                             .rmsDiff = std::sqrt(row.squaredDifference / count),
                                             .refScale = std::sqrt(row.squaredReference / count)},
          .nonFinite = row.nonFinite};
}

/// The elements of one token.
numerics::TensorView tokenOf(const numerics::TensorView& tensor, std::size_t token) {
  const auto width = static_cast<std::size_t>(tensor.shape.back());
  return {
      .data = static_cast<const std::byte*>(tensor.data) + token * width * itemSize(tensor.dtype),
      .dtype = tensor.dtype,
      .shape = {tensor.shape.back()}};
}

PositionRow& rowOf(PositionErrors& errors, const Site& site, std::size_t positions) {
  auto known = std::ranges::find(errors.rows, site.name, &PositionRow::name);
  if (known == errors.rows.end()) {
    known = errors.rows.insert(known, PositionRow{.name = site.name, .layer = site.layer});
  }
  known->errors.resize(positions);
  return *known;
}

}  // namespace

bool PositionComparison::takes(const Site& site, const engine::Capture& capture) const {
  const std::vector<std::int64_t>& shape = capture.view.shape;
  return m_layout.length > 0 && site.pass == Pass::Forward && site.level == Level::Layer &&
         shape.size() >= 2 && shape.back() > 0 && shape[shape.size() - 2] == m_layout.length;
}

Result<numerics::TopAgreement> PositionComparison::add(const Site& site,
                                                       const engine::Capture& reference,
                                                       const engine::Capture& variant) {
  const engine::Capture left = ULP_TRY(reference.onHost());
  const engine::Capture right = ULP_TRY(variant.onHost());
  const auto errors = ULP_TRY(numerics::rowErrors(left.view, right.view));
  const auto length = static_cast<std::size_t>(m_layout.length);
  const std::size_t kept = std::min(length, report::kMostPositions);
  const std::size_t first = length - kept;
  m_errors.prompt = static_cast<std::uint64_t>(m_layout.prompt);
  m_errors.first = first;
  PositionRow& row = rowOf(m_errors, site, kept);
  const bool hasTops = site.name == "logits";
  m_errors.tops.resize(hasTops ? kept : m_errors.tops.size());
  numerics::TopAgreement all;
  for (std::size_t token = 0; token < errors.size(); ++token) {
    const std::size_t position = token % length;
    if (hasTops) {
      const auto tops =
          ULP_TRY(numerics::topAgreement(tokenOf(left.view, token), tokenOf(right.view, token)));
      all.rows += tops.rows;
      all.same += tops.same;
      if (position >= first) {
        m_errors.tops[position - first].tokens += tops.rows;
        m_errors.tops[position - first].flipped += tops.rows - tops.same;
      }
    }
    if (position >= first) {
      report::addPosition(row.errors[position - first], positionError(errors[token]));
    }
  }
  return all;
}

PositionErrors PositionComparison::take() {
  return std::exchange(m_errors, {});
}

}  // namespace ulp::worker
