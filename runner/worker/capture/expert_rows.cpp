#include "runner/worker/capture/expert_rows.h"

#include <cstddef>
#include <cstring>
#include <memory>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace ulp::worker {
namespace {

using engine::Capture;
using Keys = std::vector<std::int64_t>;
constexpr std::size_t kNoRow = static_cast<std::size_t>(-1);

Result<> checkKeys(const Capture& capture) {
  const bool fits = !capture.view.shape.empty() &&
                    capture.view.shape.front() == static_cast<std::int64_t>(capture.keys->size());
  return fits ? Result<>() : fail(ErrorCode::Internal, "keys of rows do not fit the tensor");
}

/// For each row of the reference that of the variant; kNoRow: it has none.
std::vector<std::size_t> placesOf(const Keys& reference, const Keys& variant) {
  std::unordered_map<std::int64_t, std::size_t> known;
  known.reserve(variant.size());
  for (std::size_t i = 0; i < variant.size(); ++i) {
    known.emplace(variant[i], i);
  }
  std::vector<std::size_t> places;
  places.reserve(reference.size());
  for (const std::int64_t key : reference) {
    const auto found = known.find(key);
    places.push_back(found == known.end() ? kNoRow : found->second);
  }
  return places;
}

std::size_t rowBytes(const Capture& capture) {
  const std::size_t rows = capture.keys->size();
  return rows == 0 ? 0 : capture.view.sizeBytes() / rows;
}

/// A tensor with so many rows of the same size, all bits set: NaN in every floating-point format of
/// torch's that has one.
Capture emptyRows(const Capture& like, std::size_t rows, std::size_t bytes) {
  const int fill = isFloatingPoint(like.view.dtype) ? 0xff : 0;
  const auto memory = std::make_shared<std::vector<std::byte>>(
      std::max<std::size_t>(rows * bytes, 1), static_cast<std::byte>(fill));
  Capture made{.view = like.view, .owner = memory};
  made.view.data = memory->data();
  made.view.shape.front() = static_cast<std::int64_t>(rows);
  return made;
}

void copyRow(const Capture& from, std::size_t row, const Capture& to, std::size_t place) {
  const std::size_t bytes = rowBytes(from);
  auto* target = static_cast<std::byte*>(const_cast<void*>(
      to.view.data));  // NOLINT(cppcoreguidelines-pro-type-const-cast): made by emptyRows()
  std::memcpy(
      target + place * bytes, static_cast<const std::byte*>(from.view.data) + row * bytes, bytes);
}

}  // namespace

Result<AlignedRows> alignRows(const Capture& reference, const Capture& variant) {
  ULP_TRY(checkKeys(reference));
  ULP_TRY(checkKeys(variant));
  AlignedRows aligned{.reference = reference, .variant = variant, .places = {}};
  if (*reference.keys == *variant.keys) {
    aligned.places.resize(reference.keys->size());
    std::iota(aligned.places.begin(), aligned.places.end(), std::size_t{0});
    return aligned;
  }
  const Capture left = ULP_TRY(reference.onHost());
  const Capture right = ULP_TRY(variant.onHost());
  const std::vector<std::size_t> places = placesOf(*reference.keys, *variant.keys);
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] != kNoRow) {
      aligned.places.push_back(i);
      rows.push_back(places[i]);
    }
  }
  aligned.onlyReference = places.size() - rows.size();
  aligned.onlyVariant = variant.keys->size() - rows.size();
  aligned.reference = emptyRows(reference, rows.size(), rowBytes(reference));
  aligned.variant = emptyRows(variant, rows.size(), rowBytes(variant));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    copyRow(left, aligned.places[i], aligned.reference, i);
    copyRow(right, rows[i], aligned.variant, i);
  }
  return aligned;
}

Result<Capture> rowsOfReference(const Capture& reference, const Capture& variant) {
  ULP_TRY(checkKeys(reference));
  ULP_TRY(checkKeys(variant));
  if (*reference.keys == *variant.keys) {
    return variant;
  }
  const Capture right = ULP_TRY(variant.onHost());
  const std::vector<std::size_t> places = placesOf(*reference.keys, *variant.keys);
  std::size_t bytes = itemSize(variant.view.dtype);
  for (std::size_t i = 1; i < variant.view.shape.size(); ++i) {
    bytes *= static_cast<std::size_t>(variant.view.shape[i]);
  }
  const Capture made = emptyRows(variant, places.size(), bytes);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] != kNoRow) {
      copyRow(right, places[i], made, i);
    }
  }
  return made;
}

}  // namespace ulp::worker
