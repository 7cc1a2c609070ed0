#include "core/tensors/store/sample_reader.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <system_error>
#include <utility>

#include <H5Dpublic.h>
#include <H5Lpublic.h>
#include <H5Ppublic.h>
#include <H5Spublic.h>
#include <H5Tpublic.h>

#include "core/tensors/hdf5/attributes.h"
#include "core/tensors/hdf5/files.h"
#include "core/tensors/hdf5/session.h"
#include "core/tensors/hdf5/types.h"
#include "core/tensors/store/capture_layout.h"
#include "core/tensors/store/sample_store.h"

namespace ulp::tensors {
namespace {

using std::filesystem::path;

/// Nothing where the file does not say, or says something that is no pass.
std::optional<std::vector<SampleRow>> readRows(hid_t file) {
  auto names = readTexts(file, "row_names");
  const auto passes = readTexts(file, "row_passes");
  if (!names || !passes || names->size() != passes->size()) {
    return std::nullopt;
  }
  std::vector<SampleRow> rows;
  for (std::size_t i = 0; i < names->size(); ++i) {
    const auto pass = parsePass((*passes)[i]);
    if (!pass) {
      return std::nullopt;
    }
    rows.push_back({std::move((*names)[i]), *pass});
  }
  return rows;
}

std::optional<std::vector<std::uint8_t>> readFinished(hid_t group) {
  const UniqueHid dataset = openDataset(group, "finished");
  const UniqueHid space(dataset ? H5Dget_space(dataset.get()) : H5I_INVALID_HID);
  if (!space || H5Sget_simple_extent_ndims(space.get()) != 1) {
    return std::nullopt;
  }
  std::vector<std::uint8_t> finished(
      static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get())));
  const bool isRead =
      H5Dread(dataset.get(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, finished.data()) >= 0;
  return isRead ? std::optional(std::move(finished)) : std::nullopt;
}

/// One metric of all samples; nothing where the dataset is of another shape.
std::optional<std::vector<double>> readColumn(hid_t group,
                                              const std::array<hsize_t, 3>& shape,
                                              std::size_t metric) {
  const UniqueHid dataset = openDataset(group, "metrics");
  const auto found = dataset ? datasetShape(dataset.get()) : std::nullopt;
  if (!found || !std::ranges::equal(*found, shape, std::cmp_equal<std::int64_t, hsize_t>)) {
    return std::nullopt;
  }
  const UniqueHid space(H5Dget_space(dataset.get()));
  const std::array<hsize_t, 3> start{0, 0, metric};
  const std::array<hsize_t, 3> count{shape[0], shape[1], 1};
  const hsize_t values = shape[0] * shape[1];
  const UniqueHid memory(H5Screate_simple(1, &values, nullptr));
  std::vector<double> column(values);
  const bool isRead =
      memory &&
      H5Sselect_hyperslab(
          space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) >= 0 &&
      H5Dread(dataset.get(),
              H5T_NATIVE_DOUBLE,
              memory.get(),
              space.get(),
              H5P_DEFAULT,
              column.data()) >= 0;
  return isRead ? std::optional(std::move(column)) : std::nullopt;
}

void keepFinished(SampleTable& table,
                  const std::vector<std::uint8_t>& finished,
                  const std::vector<double>& column) {
  const std::size_t rows = table.rows.size();
  for (std::size_t sample = 0; sample < finished.size(); ++sample) {
    if (finished[sample] != 0) {
      table.samples.push_back(sample);
      const auto begin = column.begin() + static_cast<std::ptrdiff_t>(sample * rows);
      table.values.insert(table.values.end(), begin, begin + static_cast<std::ptrdiff_t>(rows));
    }
  }
}

}  // namespace

Result<SampleTable> readSamples(const path& folder, std::string_view run, std::string_view metric) {
  const Hdf5Session session;
  const path name = folder / kSampleFile;
  std::error_code ignored;
  if (!std::filesystem::exists(name, ignored)) {
    return fail(ErrorCode::NotFound,
                fmt::format("{}: is not there; it holds what each sample gave, so run the study "
                            "again, or copy the file beside the report",
                            name.string()));
  }
  const UniqueHid file = openHdf5(name);
  if (!file) {
    return Hdf5Session::error(name, "cannot read");
  }
  const auto damaged = [&name](std::string_view what) {
    return fail(ErrorCode::CorruptData,
                fmt::format("{}: {}; run the study again", name.string(), what));
  };
  auto rows = readRows(file.get());
  const auto metrics = readTexts(file.get(), "metrics");
  if (!rows || !metrics) {
    return damaged("does not name its rows and metrics");
  }
  const auto column = std::ranges::find(*metrics, metric);
  const std::string link = "runs/" + runLinkName(std::string(run));
  const bool hasRun = H5Lexists(file.get(), "runs", H5P_DEFAULT) > 0 &&
                      H5Lexists(file.get(), link.c_str(), H5P_DEFAULT) > 0;
  if (column == metrics->end() || !hasRun) {
    return fail(ErrorCode::NotFound,
                fmt::format("{}: has no values of the {} '{}'",
                            name.string(),
                            hasRun ? "metric" : "run",
                            hasRun ? metric : run));
  }
  const UniqueHid group = openGroup(file.get(), link);
  const auto finished = group ? readFinished(group.get()) : std::nullopt;
  const auto values = finished ? readColumn(group.get(),
                                            {finished->size(), rows->size(), metrics->size()},
                                            static_cast<std::size_t>(column - metrics->begin()))
                               : std::nullopt;
  if (!values) {
    return damaged(fmt::format("the values of run '{}' cannot be read", run));
  }
  SampleTable table{.rows = std::move(*rows), .samples = {}, .values = {}};
  keepFinished(table, *finished, *values);
  return table;
}

}  // namespace ulp::tensors
