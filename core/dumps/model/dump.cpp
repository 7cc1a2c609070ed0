#include "core/dumps/model/dump.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <numeric>

#include "core/base/list_of.h"
#include "core/base/text/name_limit.h"
#include "core/tensors/formats/atb/atb_file.h"
#include "core/tensors/formats/numpy/npy.h"
#include "core/tensors/formats/torch/torch_file.h"

namespace ulp::dumps {

namespace {

/// In the order of Role, and of EntryKind.
constexpr std::array<std::string_view, 7> kRoles{"input",
                                                 "parameter",
                                                 "output",
                                                 "output_gradient",
                                                 "input_gradient",
                                                 "parameter_gradient",
                                                 "value"};
constexpr std::array<std::string_view, 5> kKinds{"api", "module", "gradient", "saved", "tensor"};

bool fits(const UnitAxes& axes, const UnitAxes& choice) {
  const auto isMeant = [](const auto& wanted, const auto& value) {
    return !wanted || wanted == value;
  };
  return (choice.run.empty() || choice.run == axes.run) && isMeant(choice.step, axes.step) &&
         isMeant(choice.rank, axes.rank) && isMeant(choice.token, axes.token);
}

Result<> checkNames(const DumpUnit& unit) {
  for (const DumpEntry& entry : unit.entries) {
    ULP_TRY(checkNameLength(entry.name));
    ULP_TRY(checkNameLength(entry.module));
  }
  for (const DumpRow& row : unit.rows) {
    ULP_TRY(checkNameLength(row.name));
  }
  return {};
}

}  // namespace

Result<DumpUnitPtr> Dump::openUnit(std::size_t unit,
                                   const std::stop_token& stop,
                                   const Progress& progress) const {
  auto opened = ULP_TRY(units[unit].open(units[unit], stop, progress));
  ULP_TRY(whileDoing(units[unit].path.string(), checkNames(*opened)));
  return opened;
}

std::string_view toString(Role role) {
  return kRoles.at(static_cast<std::size_t>(role));
}

std::optional<Role> parseRole(std::string_view name) {
  const auto found = std::ranges::find(kRoles, name);
  return found == kRoles.end() ? std::nullopt
                               : std::optional(static_cast<Role>(found - kRoles.begin()));
}

std::string_view toString(EntryKind kind) {
  return kKinds.at(static_cast<std::size_t>(kind));
}

bool isSame(const std::optional<double>& left, const std::optional<double>& right) {
  return left == right || (left && right && std::isnan(*left) && std::isnan(*right));
}

bool isSame(const Statistics& left, const Statistics& right) {
  return std::ranges::equal(
      left.all(), right.all(), [](const auto& a, const auto& b) { return isSame(a, b); });
}

Statistics together(std::span<const Statistics> parts, std::span<const std::uint64_t> counts) {
  const auto fold = [&](auto member, const auto& combine) -> std::optional<double> {
    std::optional<double> result;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::optional<double>& value = parts[i].*member;
      if (!value) {
        return std::nullopt;
      }
      result = i == 0 ? *value : combine(*result, *value);
    }
    return result;
  };
  // A NaN stays, as it does in torch.
  const auto extreme = [](const auto& isBeyond) {
    return [isBeyond](double a, double b) {
      return std::isnan(a) || (!std::isnan(b) && !isBeyond(b, a)) ? a : b;
    };
  };
  Statistics whole{.max = fold(&Statistics::max, extreme(std::greater<>())),
                   .min = fold(&Statistics::min, extreme(std::less<>()))};
  const std::uint64_t count = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  if (count > 0 && fold(&Statistics::mean, std::plus<>())) {
    double sum = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      sum += *parts[i].mean * (static_cast<double>(counts[i]) / static_cast<double>(count));
    }
    whole.mean = sum;
  }
  whole.norm = fold(&Statistics::norm, [](double a, double b) { return std::hypot(a, b); });
  return whole;
}

Result<tensors::Tensor> readTensorFile(const std::filesystem::path& file) {
  const std::filesystem::path extension = file.extension();
  return extension == ".npy"   ? tensors::readNpy(file)
         : extension == ".bin" ? tensors::readAtbTensor(file)
                               : tensors::readTorchTensor(file);
}

bool isTensor(const DumpRow& row) {
  return row.value.empty() && (!row.dtype.empty() || !row.shape.empty() || row.hasElements ||
                               !row.statistics.isEmpty() || !row.checksum.empty());
}

Result<> checkChoice(const std::filesystem::path& dump,
                     std::span<const UnitAxes> units,
                     const UnitAxes& choice) {
  const bool isThere =
      std::ranges::any_of(units, [&](const UnitAxes& unit) { return fits(unit, choice); });
  if (choice.isEmpty() || isThere) {
    return {};
  }
  std::vector<std::string> names = listOf(units, describe);
  std::erase(names, "");
  return fail(
      ErrorCode::InvalidArgument,
      fmt::format("{}: there is no {}; {}{}",
                  dump.string(),
                  describe(choice),
                  names.empty() ? "nothing in it says steps, ranks or tokens" : "there are ",
                  fmt::join(names, "; ")));
}

Result<DumpPtr> chooseUnits(DumpPtr dump, const UnitAxes& choice) {
  if (choice.isEmpty()) {
    return dump;
  }
  ULP_TRY(checkChoice(dump->path, listOf(dump->units, &UnitInfo::axes), choice));
  auto chosen = std::make_shared<Dump>(*dump);
  std::erase_if(chosen->units, [&](const UnitInfo& unit) { return !fits(unit.axes, choice); });
  return chosen;
}

}  // namespace ulp::dumps
