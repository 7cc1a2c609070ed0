#include "core/tensors/store/sample_store.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <ranges>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <H5Dpublic.h>
#include <H5Fpublic.h>
#include <H5Gpublic.h>
#include <H5Lpublic.h>
#include <H5Opublic.h>
#include <H5Ppublic.h>
#include <H5Spublic.h>
#include <H5Tpublic.h>

#include "core/base/files/file_in_place.h"
#include "core/base/list_of.h"
#include "core/tensors/hdf5/attributes.h"
#include "core/tensors/hdf5/files.h"
#include "core/tensors/hdf5/session.h"
#include "core/tensors/store/capture_layout.h"

namespace ulp::tensors {
namespace {

using std::filesystem::path;
using Dimensions = std::vector<hsize_t>;

constexpr const char* kRuns = "runs";
constexpr const char* kMetrics = "metrics";
constexpr const char* kGainErrors = "gain_error";
constexpr const char* kLoss = "loss";
constexpr const char* kFinished = "finished";
constexpr const char* kDigest = "token_digest";

/// Laid out in one piece, whose place is known as soon as it is made.
UniqueHid placedProperties() {
  UniqueHid properties = contiguousProperties(H5D_FILL_TIME_ALLOC);
  const bool made = properties && H5Pset_alloc_time(properties.get(), H5D_ALLOC_TIME_EARLY) >= 0;
  return made ? std::move(properties) : UniqueHid();
}

bool makeDataset(hid_t group,
                 const char* name,
                 hid_t type,
                 const Dimensions& dimensions,
                 const UniqueHid& properties) {
  const UniqueHid space(
      H5Screate_simple(static_cast<int>(dimensions.size()), dimensions.data(), nullptr));
  return space && properties &&
         UniqueHid(H5Dcreate2(
             group, name, type, space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT));
}

/// Makes a dataset of numbers that are NaN until they are known.
bool makeNumbers(hid_t group, const char* name, const Dimensions& dimensions) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  const UniqueHid properties = placedProperties();
  return properties && H5Pset_fill_value(properties.get(), H5T_NATIVE_DOUBLE, &kUnknown) >= 0 &&
         makeDataset(group, name, H5T_IEEE_F64LE, dimensions, properties);
}

std::vector<std::string> namesOf(const std::vector<Site>& rows) {
  return listOf(rows, &Site::name);
}

std::vector<std::string> passesOf(const std::vector<Site>& rows) {
  return listOf(rows, [](const Site& row) { return std::string(toString(row.pass)); });
}

bool makeRun(hid_t runs, const SampleLayout& layout, const std::string& run) {
  const UniqueHid group = createGroup(runs, runLinkName(run));
  const Dimensions perSample{layout.samples};
  const bool made =
      group && writeText(group.get(), "name", run) && makeNumbers(group.get(), kLoss, perSample) &&
      makeDataset(group.get(), kFinished, H5T_STD_U8LE, perSample, placedProperties());
  if (!made || run == layout.runs.front()) {
    return made;
  }
  const Dimensions perRow{layout.samples, layout.rows.size()};
  return makeNumbers(group.get(), kGainErrors, perRow) &&
         makeNumbers(
             group.get(), kMetrics, {layout.samples, layout.rows.size(), layout.metrics.size()});
}

bool hasRun(hid_t file, const std::string& run) {
  const UniqueHid runs = openGroup(file, kRuns);
  return runs && H5Lexists(runs.get(), runLinkName(run).c_str(), H5P_DEFAULT) > 0;
}

/// Makes every run of the layout; those that `earlier` holds are copied. It may be invalid.
bool fill(hid_t file, const SampleLayout& layout, hid_t earlier) {
  const bool described = writeTexts(file, "row_names", namesOf(layout.rows)) &&
                         writeTexts(file, "row_passes", passesOf(layout.rows)) &&
                         writeTexts(file, kMetrics, layout.metrics) &&
                         writeText(file, kDigest, layout.tokenDigest);
  const UniqueHid runs = described ? createGroup(file, kRuns) : UniqueHid();
  return runs && std::ranges::all_of(layout.runs, [&](const std::string& run) {
           if (earlier < 0 || !hasRun(earlier, run)) {
             return makeRun(runs.get(), layout, run);
           }
           const std::string link = runLinkName(run);
           return H5Ocopy(earlier,
                          (std::string(kRuns) + "/" + link).c_str(),
                          runs.get(),
                          link.c_str(),
                          H5P_DEFAULT,
                          H5P_DEFAULT) >= 0;
         });
}

Result<> make(const path& file, const SampleLayout& layout, hid_t earlier) {
  return replaceHdf5(file, [&](hid_t made) { return fill(made, layout, earlier); });
}

/// 0 where there is none.
std::uint64_t placeOf(hid_t file, const std::string& run, const char* name) {
  const std::string link = std::string(kRuns) + "/" + runLinkName(run);
  const UniqueHid group = openGroup(file, link);
  if (!group || H5Lexists(group.get(), name, H5P_DEFAULT) <= 0) {
    return 0;
  }
  const UniqueHid dataset = openDataset(group.get(), name);
  const haddr_t place = dataset ? H5Dget_offset(dataset.get()) : HADDR_UNDEF;
  return place == HADDR_UNDEF ? 0 : place;
}

/// Whether a run's finished samples are as many as the layout has.
bool hasSamples(hid_t file, const std::string& run, std::uint64_t samples) {
  const std::string link = std::string(kRuns) + "/" + runLinkName(run) + "/" + kFinished;
  const UniqueHid dataset = openDataset(file, link);
  const UniqueHid space(dataset ? H5Dget_space(dataset.get()) : H5I_INVALID_HID);
  return space && static_cast<std::uint64_t>(H5Sget_simple_extent_npoints(space.get())) == samples;
}

Result<> checkLayout(const path& name, hid_t file, const SampleLayout& layout) {
  const auto names = readTexts(file, "row_names");
  const auto passes = readTexts(file, "row_passes");
  const auto metrics = readTexts(file, kMetrics);
  const auto digest = readText(file, kDigest);
  if (!names || !passes || !metrics || !digest) {
    return fail(ErrorCode::CorruptData,
                fmt::format("{}: holds no values of samples; replace the results with --overwrite",
                            name.string()));
  }
  const bool isSame = *names == namesOf(layout.rows) && *passes == passesOf(layout.rows) &&
                      *metrics == layout.metrics && *digest == layout.tokenDigest &&
                      std::ranges::all_of(layout.runs, [&](const std::string& run) {
                        return !hasRun(file, run) || hasSamples(file, run, layout.samples);
                      });
  if (isSame) {
    return {};
  }
  return fail(ErrorCode::InvalidArgument,
              fmt::format("{}: its samples are of other tokens, tensors or metrics; replace the "
                          "results with --overwrite, or name another folder with --output",
                          name.string()));
}

}  // namespace

SampleStore::SampleStore(path file, SampleLayout layout)
    : m_file(std::move(file)), m_layout(std::move(layout)) {}

Result<std::unique_ptr<SampleStore>> SampleStore::create(const path& folder,
                                                         const SampleLayout& layout) {
  const Hdf5Session session;
  std::unique_ptr<SampleStore> store(new SampleStore(folder / kSampleFile, layout));
  ULP_TRY(make(store->m_file, layout, H5I_INVALID_HID));
  ULP_TRY(store->open());
  return store;
}

Result<std::unique_ptr<SampleStore>> SampleStore::reopen(const path& folder,
                                                         const SampleLayout& layout) {
  const Hdf5Session session;
  std::unique_ptr<SampleStore> store(new SampleStore(folder / kSampleFile, layout));
  const path& name = store->m_file;
  std::error_code ignored;
  if (!std::filesystem::exists(name, ignored)) {
    return fail(ErrorCode::NotFound,
                fmt::format("{}: is gone, and with it what the samples gave; replace the results "
                            "with --overwrite",
                            name.string()));
  }
  UniqueHid earlier = openHdf5(name);
  if (!earlier) {
    return Hdf5Session::error(name, "cannot read");
  }
  ULP_TRY(checkLayout(name, earlier.get(), layout));
  const bool isComplete = std::ranges::all_of(
      layout.runs, [&](const std::string& run) { return hasRun(earlier.get(), run); });
  if (!isComplete) {
    ULP_TRY(make(name, layout, earlier.get()));
  }
  earlier.reset();
  ULP_TRY(store->open());
  return store;
}

Result<> SampleStore::open() {
  const UniqueHid file = openHdf5(m_file);
  for (const std::string& run : m_layout.runs) {
    const Places places{.metrics = placeOf(file.get(), run, kMetrics),
                        .gainErrors = placeOf(file.get(), run, kGainErrors),
                        .loss = placeOf(file.get(), run, kLoss),
                        .finished = placeOf(file.get(), run, kFinished)};
    const bool isCompared = run != m_layout.runs.front();
    if (places.loss == 0 || places.finished == 0 ||
        (isCompared && (places.metrics == 0 || places.gainErrors == 0))) {
      return fail(ErrorCode::CorruptData,
                  fmt::format("{}: the values of run '{}' cannot be found", m_file.string(), run));
    }
    m_places[run] = places;
  }
  m_opened = ULP_TRY(openInPlace(m_file));
  return {};
}

Result<SampleStore::Places> SampleStore::placesOf(std::string_view run,
                                                  std::uint64_t sample) const {
  const auto found = m_places.find(run);
  if (found == m_places.end() || sample >= m_layout.samples) {
    return fail(ErrorCode::Internal,
                fmt::format("{}: has no sample {} of run '{}'", m_file.string(), sample, run));
  }
  const std::uint64_t rows = m_layout.rows.size() * sizeof(double);
  Places places = found->second;
  places.metrics += places.metrics == 0 ? 0 : sample * rows * m_layout.metrics.size();
  places.gainErrors += places.gainErrors == 0 ? 0 : sample * rows;
  places.loss += sample * sizeof(double);
  places.finished += sample;
  return places;
}

Result<> SampleStore::put(std::uint64_t at, std::span<const std::byte> bytes) {
  const int failure = writeAllAt(m_opened.get(), bytes, static_cast<off_t>(at));
  return failure == 0 ? Result<>() : fail(systemError(m_file, "cannot write", failure));
}

Result<> SampleStore::write(std::string_view run,
                            std::uint64_t sample,
                            const SampleValues& values) {
  const auto places = ULP_TRY(placesOf(run, sample));
  const std::size_t rows = places.metrics == 0 ? 0 : m_layout.rows.size();
  if (values.gainErrors.size() != rows || values.metrics.size() != rows * m_layout.metrics.size()) {
    return fail(ErrorCode::Internal,
                fmt::format("{}: run '{}' gave {} rows, {} are expected",
                            m_file.string(),
                            run,
                            values.gainErrors.size(),
                            rows));
  }
  const std::array<std::pair<std::uint64_t, std::span<const std::byte>>, 3> pieces{
      {{places.metrics, std::as_bytes(values.metrics)},
       {places.gainErrors, std::as_bytes(values.gainErrors)},
       {places.loss, std::as_bytes(std::span(&values.loss, 1))}}};
  for (const auto& [at, bytes] : pieces) {
    ULP_TRY(bytes.empty() ? Result<>() : put(at, bytes));
  }
  m_unsaid.push_back(places.finished);
  return {};
}

Result<> SampleStore::sync() {
  constexpr std::array<std::byte, 1> kDone{std::byte{1}};
  const auto wait = [this] {
    return ::fdatasync(m_opened.get()) == 0 ? Result<>()
                                            : fail(systemError(m_file, "cannot write", errno));
  };
  if (m_unsaid.empty()) {
    return {};
  }
  ULP_TRY(wait());
  for (const std::uint64_t place : m_unsaid) {
    ULP_TRY(put(place, kDone));
  }
  ULP_TRY(wait());
  m_unsaid.clear();
  return {};
}

Result<double> SampleStore::loss(std::string_view run, std::uint64_t sample) {
  const auto places = ULP_TRY(placesOf(run, sample));
  char finished = 0;
  double value = 0;
  const auto read = [this](std::uint64_t at, void* to, std::size_t size) {
    return ::pread(m_opened.get(), to, size, static_cast<off_t>(at)) == static_cast<ssize_t>(size);
  };
  if (!read(places.finished, &finished, 1) || !read(places.loss, &value, sizeof value)) {
    return fail(ErrorCode::Io, m_file.string() + ": cannot read");
  }
  if (finished == 0 && std::ranges::find(m_unsaid, places.finished) == m_unsaid.end()) {
    return fail(
        ErrorCode::NotFound,
        fmt::format("{}: sample {} of run '{}' is not finished", m_file.string(), sample, run));
  }
  return value;
}

}  // namespace ulp::tensors
