#include "core/tensors/hdf5/sample_store.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <limits>
#include <ranges>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <H5Dpublic.h>
#include <H5Ppublic.h>
#include <H5Spublic.h>
#include <H5Tpublic.h>

#include "core/base/files/file_in_place.h"
#include "core/base/list_of.h"
#include "core/tensors/formats/hdf5/hdf5_file.h"
#include "core/tensors/hdf5/attributes.h"
#include "core/tensors/hdf5/files.h"
#include "core/tensors/hdf5/session.h"
#include "core/tensors/hdf5/types.h"
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

/// A dataset of a run.
struct Part {
  const char* name;
  DType dtype;
  std::vector<std::int64_t> shape;

  [[nodiscard]] bool isLike(const Hdf5Dataset& dataset) const {
    return dataset.info.dtype == dtype && dataset.info.shape == shape;
  }
};

std::vector<Part> partsOf(const SampleLayout& layout, const std::string& run) {
  const auto samples = static_cast<std::int64_t>(layout.samples);
  const auto rows = static_cast<std::int64_t>(layout.rows.size());
  const auto metrics = static_cast<std::int64_t>(layout.metrics.size());
  std::vector<Part> parts{{kLoss, DType::Float64, {samples}}, {kFinished, DType::UInt8, {samples}}};
  if (run != layout.runs.front()) {
    parts.push_back({kGainErrors, DType::Float64, {samples, rows}});
    parts.push_back({kMetrics, DType::Float64, {samples, rows, metrics}});
  }
  return parts;
}

std::string groupOf(const std::string& run) {
  return std::string(kRuns) + "/" + runLinkName(run);
}

/// Null: it is not there.
const Hdf5Dataset* datasetOf(const Hdf5File& file, const std::string& run, const Part& part) {
  return file.dataset(groupOf(run) + "/" + part.name);
}

/// What a file that is made anew takes over from the one before, by run and part.
using EarlierValues = std::map<std::pair<std::string, std::string>, Tensor>;

/// Makes a dataset of numbers, which are NaN until they are known, or of flags.
UniqueHid makePart(hid_t group, const Part& part) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  const Dimensions dimensions(part.shape.begin(), part.shape.end());
  const UniqueHid type = makeElementType(part.dtype);
  const UniqueHid space(
      H5Screate_simple(static_cast<int>(dimensions.size()), dimensions.data(), nullptr));
  const UniqueHid properties = placedProperties();
  const bool isReady = type && space && properties &&
                       (part.dtype != DType::Float64 ||
                        H5Pset_fill_value(properties.get(), H5T_NATIVE_DOUBLE, &kUnknown) >= 0);
  return isReady ? UniqueHid(H5Dcreate2(group,
                                        part.name,
                                        type.get(),
                                        space.get(),
                                        H5P_DEFAULT,
                                        properties.get(),
                                        H5P_DEFAULT))
                 : UniqueHid();
}

std::vector<std::string> namesOf(const std::vector<Site>& rows) {
  return listOf(rows, &Site::name);
}

std::vector<std::string> passesOf(const std::vector<Site>& rows) {
  return listOf(rows, [](const Site& row) { return std::string(toString(row.pass)); });
}

/// False also where the file of the tensor was shortened: what it gave may not be its elements.
bool writeValues(const UniqueHid& dataset, const Tensor& tensor) {
  const UniqueHid type = makeElementType(tensor.view.dtype);
  return H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, tensor.view.data) >=
             0 &&
         checkIntact(tensor);
}

bool makeRun(hid_t runs,
             const SampleLayout& layout,
             const std::string& run,
             const EarlierValues& earlier) {
  const UniqueHid group = createGroup(runs, runLinkName(run));
  return group && writeText(group.get(), "name", run) &&
         std::ranges::all_of(partsOf(layout, run), [&](const Part& part) {
           const UniqueHid dataset = makePart(group.get(), part);
           const auto known = earlier.find({run, part.name});
           return dataset && (known == earlier.end() || writeValues(dataset, known->second));
         });
}

bool fill(hid_t file, const SampleLayout& layout, const EarlierValues& earlier) {
  const bool described = writeTexts(file, "row_names", namesOf(layout.rows)) &&
                         writeTexts(file, "row_passes", passesOf(layout.rows)) &&
                         writeTexts(file, kMetrics, layout.metrics) &&
                         writeText(file, kDigest, layout.tokenDigest);
  const UniqueHid runs = described ? createGroup(file, kRuns) : UniqueHid();
  return runs && std::ranges::all_of(layout.runs, [&](const std::string& run) {
           return makeRun(runs.get(), layout, run, earlier);
         });
}

/// Makes the file with every run of the layout.
Result<> make(const path& file, const SampleLayout& layout, const EarlierValues& earlier) {
  const Hdf5Session session;
  return replaceHdf5(file, [&](hid_t made) { return fill(made, layout, earlier); });
}

bool hasRun(const Hdf5File& file, const std::string& run) {
  return file.group(groupOf(run)) != nullptr;
}

Result<EarlierValues> earlierValues(const Hdf5File& file, const SampleLayout& layout) {
  EarlierValues values;
  for (const std::string& run : layout.runs) {
    for (const Part& part : partsOf(layout, run)) {
      if (const Hdf5Dataset* dataset = datasetOf(file, run, part)) {
        auto tensor = ULP_TRY(file.read(*dataset));
        values.emplace(std::pair(run, part.name), std::move(tensor));
      }
    }
  }
  return values;
}

Result<bool> hasTexts(const Hdf5File& file,
                      const char* name,
                      const std::vector<std::string>& expected) {
  const Hdf5Dataset* dataset = file.dataset(name);
  if (dataset == nullptr) {
    return fail(ErrorCode::CorruptData,
                fmt::format("{}: holds no values of samples; replace the results with --overwrite",
                            file.path().string()));
  }
  const auto texts = ULP_TRY(file.texts(*dataset));
  return texts == expected;
}

bool hasParts(const Hdf5File& file, const SampleLayout& layout) {
  return std::ranges::all_of(layout.runs, [&](const std::string& run) {
    return std::ranges::all_of(partsOf(layout, run), [&](const Part& part) {
      const Hdf5Dataset* dataset = datasetOf(file, run, part);
      return dataset == nullptr || part.isLike(*dataset);
    });
  });
}

Result<> checkLayout(const Hdf5File& file, const SampleLayout& layout) {
  const Hdf5Group* root = file.group("");
  const std::string* digest = root != nullptr ? textIn(root->attributes, kDigest) : nullptr;
  const bool isOfRows = ULP_TRY(hasTexts(file, "row_names", namesOf(layout.rows)));
  const bool isOfPasses = ULP_TRY(hasTexts(file, "row_passes", passesOf(layout.rows)));
  const bool isOfMetrics = ULP_TRY(hasTexts(file, kMetrics, layout.metrics));
  if (isOfRows && isOfPasses && isOfMetrics && digest != nullptr && *digest == layout.tokenDigest &&
      hasParts(file, layout)) {
    return {};
  }
  return fail(ErrorCode::InvalidArgument,
              fmt::format("{}: its samples are of other tokens, tensors or metrics; replace the "
                          "results with --overwrite, or name another folder with --output",
                          file.path().string()));
}

}  // namespace

SampleStore::SampleStore(path file, SampleLayout layout)
    : m_file(std::move(file)), m_layout(std::move(layout)) {}

Result<std::unique_ptr<SampleStore>> SampleStore::create(const path& folder,
                                                         const SampleLayout& layout) {
  std::unique_ptr<SampleStore> store(new SampleStore(folder / kSampleFile, layout));
  ULP_TRY(make(store->m_file, layout, {}));
  ULP_TRY(store->open());
  return store;
}

Result<std::unique_ptr<SampleStore>> SampleStore::reopen(const path& folder,
                                                         const SampleLayout& layout) {
  static constexpr std::array<std::string_view, 1> kAttributes{kDigest};
  std::unique_ptr<SampleStore> store(new SampleStore(folder / kSampleFile, layout));
  const path& name = store->m_file;
  std::error_code ignored;
  if (!std::filesystem::exists(name, ignored)) {
    return fail(ErrorCode::NotFound,
                fmt::format("{}: is gone, and with it what the samples gave; replace the results "
                            "with --overwrite",
                            name.string()));
  }
  const auto earlier = ULP_TRY(Hdf5File::open(name, kAttributes));
  ULP_TRY(checkLayout(*earlier, layout));
  if (!std::ranges::all_of(layout.runs,
                           [&](const std::string& run) { return hasRun(*earlier, run); })) {
    const auto values = ULP_TRY(earlierValues(*earlier, layout));
    auto made = make(name, layout, values);
    for (const auto& [part, tensor] : values) {
      ULP_TRY(checkIntact(tensor));
    }
    ULP_TRY(std::move(made));
  }
  ULP_TRY(store->open());
  return store;
}

Result<> SampleStore::open() {
  const auto file = ULP_TRY(Hdf5File::open(m_file));
  for (const std::string& run : m_layout.runs) {
    Places& places = m_places[run];
    const std::map<std::string_view, std::uint64_t*> byName{{kMetrics, &places.metrics},
                                                            {kGainErrors, &places.gainErrors},
                                                            {kLoss, &places.loss},
                                                            {kFinished, &places.finished}};
    for (const Part& part : partsOf(m_layout, run)) {
      const Hdf5Dataset* dataset = datasetOf(*file, run, part);
      if (dataset == nullptr || dataset->offset == Hdf5Dataset::kInPieces) {
        return fail(
            ErrorCode::CorruptData,
            fmt::format("{}: the values of run '{}' cannot be found", m_file.string(), run));
      }
      *byName.at(part.name) = dataset->offset;
    }
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
