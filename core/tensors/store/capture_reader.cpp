#include <algorithm>
#include <limits>
#include <optional>
#include <system_error>
#include <unordered_map>
#include <utility>

#include <H5Apublic.h>
#include <H5Dpublic.h>
#include <H5Fpublic.h>
#include <H5Ppublic.h>
#include <H5Spublic.h>
#include <H5Tpublic.h>

#include "core/base/files/mapped_file.h"
#include "core/tensors/archive/byte_source.h"
#include "core/tensors/archive/name_index.h"
#include "core/tensors/hdf5/attributes.h"
#include "core/tensors/hdf5/files.h"
#include "core/tensors/hdf5/session.h"
#include "core/tensors/hdf5/types.h"
#include "core/tensors/store/capture_layout.h"
#include "core/tensors/store/capture_store.h"
#include "core/tensors/store/float8_widening.h"

namespace ulp::tensors {
namespace {

using std::filesystem::path;

/// Where the elements of a capture are.
struct Location {
  std::shared_ptr<const MappedFile> file;
  std::string dataset;  ///< path within the file
  std::vector<std::int64_t> shape;
  DType storedAs = DType::Float32;
  std::optional<std::size_t> offset;  ///< in the file, where they lie in one piece as in memory
};

struct RunFile {
  std::string name;
  std::string link;  ///< name of the run's group
  std::shared_ptr<const MappedFile> file;
};

std::string keyOf(std::string_view run, const Site& site) {
  std::string key(run);
  key += '\0';
  key += toString(site.pass);
  key += '\0';
  key += site.name;
  return key;
}

tl::unexpected<Error> corrupt(const path& file, const std::string& place, std::string_view what) {
  return fail(ErrorCode::CorruptData, file.string() + ": " + place + ": " + std::string(what));
}

/// What the attributes of a dataset say; nothing when one is missing or has a wrong value.
std::optional<StoredCapture> readDescription(hid_t dataset) {
  auto name = readText(dataset, "name");
  auto module = readText(dataset, "module");
  const auto layer = readIntegers(dataset, "layer");
  const auto level = parseLevel(readText(dataset, "level").value_or(""));
  const auto dtype = parseDType(readText(dataset, "dtype").value_or(""));
  if (!name || !module || !layer || layer->size() != 1 || !level || !dtype) {
    return std::nullopt;
  }
  constexpr std::int64_t kMostLayers = std::numeric_limits<int>::max();
  if (layer->front() < -1 || layer->front() > kMostLayers) {
    return std::nullopt;
  }
  StoredCapture capture;
  capture.site = {std::move(*name),
                  std::move(*module),
                  static_cast<int>(layer->front()),
                  *level,
                  Pass::Forward};
  capture.dtype = *dtype;
  return capture;
}

/// The dtype in which `dataset` stores elements of `dtype`.
std::optional<DType> storedTypeOf(hid_t dataset, DType dtype) {
  const UniqueHid stored(H5Dget_type(dataset));
  if (stored && H5Tequal(stored.get(), makeElementType(dtype).get()) > 0) {
    return dtype;
  }
  const bool widened = stored && dtype == DType::Float8E4M3FN &&
                       H5Tequal(stored.get(), makeElementType(DType::Float16).get()) > 0;
  return widened ? std::optional(DType::Float16) : std::nullopt;
}

/// The full shape and stride of a subsample; false when they contradict the stored elements.
bool readSampling(hid_t dataset, std::uint64_t storedCount, StoredCapture& capture) {
  if (H5Aexists(dataset, "sample_stride") <= 0) {
    return true;
  }
  auto full = readIntegers(dataset, "full_shape");
  const auto stride = readIntegers(dataset, "sample_stride");
  if (!full || !stride || stride->size() != 1 || stride->front() < 1) {
    return false;
  }
  const auto count = checkedCount(*full);
  const auto step = static_cast<std::uint64_t>(stride->front());
  if (!count || *count / step + (*count % step != 0 ? 1 : 0) != storedCount) {
    return false;
  }
  capture.shape = std::move(*full);
  capture.sampleStride = step;
  return true;
}

class Hdf5CaptureReader final : public CaptureReader {
 public:
  explicit Hdf5CaptureReader(path file) : m_path(std::move(file)) {}

  [[nodiscard]] const std::vector<StoredCapture>& captures() const override { return m_captures; }
  [[nodiscard]] const std::vector<Error>& problems() const override { return m_problems; }

  Result<> start() {
    const Hdf5Session session;
    const UniqueHid file = openHdf5(m_path);
    const UniqueHid runs = file ? openGroup(file.get(), "runs") : UniqueHid();
    const auto links = runs ? linkNames(runs.get()) : std::nullopt;
    if (!links) {
      return Hdf5Session::error(m_path, "not a file of captured tensors");
    }
    for (const std::string& link : *links) {
      const std::size_t before = m_captures.size();
      if (auto listed = listRun(runs.get(), link); !listed) {
        m_captures.resize(before);
        m_locations.resize(before);
        m_problems.push_back(std::move(listed.error()));
      }
    }
    for (std::size_t i = 0; i < m_captures.size(); ++i) {
      m_positions.emplace(keyOf(m_captures[i].run, m_captures[i].site), i);
    }
    return {};
  }

  [[nodiscard]] Result<Tensor> read(const StoredCapture& capture) const override {
    const auto found = m_positions.find(keyOf(capture.run, capture.site));
    if (found == m_positions.end()) {
      return fail(ErrorCode::NotFound,
                  m_path.string() + ": run " + quotedName(capture.run) + ": no capture of " +
                      quotedName(capture.site.name) + " in pass " +
                      std::string(toString(capture.site.pass)));
    }
    const Location& location = m_locations[found->second];
    const DType dtype = m_captures[found->second].dtype;
    auto stored = location.offset ? mapped(location) : loaded(location);
    if (stored && location.storedAs != dtype) {
      auto narrow = narrowed(*stored);
      auto intact = checkIntact(*stored);
      return intact ? std::move(narrow) : tl::unexpected(std::move(intact.error()));
    }
    return stored;
  }

 private:
  Result<> listRun(hid_t runs, const std::string& link) {
    const Hdf5Session session;
    const UniqueHid group = openGroup(runs, link);
    auto name = group ? readText(group.get(), "name") : std::nullopt;
    if (!name) {
      return Hdf5Session::error(m_path,
                                "run " + quotedName(link) + ": its file in " +
                                    std::string(kRunFolder) +
                                    "/ is missing or damaged; run the study again");
    }
    std::string fileName(static_cast<std::size_t>(H5Fget_name(group.get(), nullptr, 0)), '\0');
    H5Fget_name(group.get(), fileName.data(), fileName.size() + 1);
    auto file = ULP_TRY(MappedFile::open(fileName, WhenShortened::ReadOnes));
    const RunFile run{std::move(*name), link, std::move(file)};
    const auto passes = linkNames(group.get());
    if (!passes) {
      return unreadable(run, "passes");
    }
    for (const std::string& pass : *passes) {
      ULP_TRY(listPass(group.get(), pass, run));
    }
    return {};
  }

  Result<> listPass(hid_t group, const std::string& passName, const RunFile& run) {
    const auto pass = parsePass(passName);
    if (!pass) {
      return corrupt(run.file->path(), quotedName(passName), "unknown pass");
    }
    const UniqueHid passGroup = openGroup(group, passName);
    const auto names = passGroup ? linkNames(passGroup.get()) : std::nullopt;
    if (!names) {
      return unreadable(run, passName);
    }
    const std::string path = "/runs/" + run.link + "/" + passName + "/";
    for (const std::string& name : *names) {
      const UniqueHid dataset = openDataset(passGroup.get(), name);
      if (!dataset) {
        return unreadable(run, quotedName(name));
      }
      Location location;
      location.file = run.file;
      location.dataset = path;
      location.dataset += name;
      auto capture = ULP_TRY(describe(dataset.get(), location));
      capture.run = run.name;
      capture.site.pass = *pass;
      m_captures.push_back(std::move(capture));
      m_locations.push_back(std::move(location));
    }
    return {};
  }

  static tl::unexpected<Error> unreadable(const RunFile& run, const std::string& place) {
    return Hdf5Session::error(run.file->path(), place + ": cannot be read");
  }

  /// Fills in shape, type and place of the elements.
  static Result<StoredCapture> describe(hid_t dataset, Location& location) {
    const path& file = location.file->path();
    auto capture = readDescription(dataset);
    auto shape = datasetShape(dataset);
    const auto count = shape ? checkedCount(*shape) : std::nullopt;
    if (!capture || !count) {
      return corrupt(file, location.dataset, "an attribute is missing or has a wrong value");
    }
    const auto stored = storedTypeOf(dataset, capture->dtype);
    if (!stored) {
      return corrupt(file, location.dataset, "its elements are not of the type that it names");
    }
    capture->shape = *shape;
    if (!readSampling(dataset, *count, *capture)) {
      return corrupt(file, location.dataset, "full_shape and sample_stride do not fit its size");
    }
    location.shape = std::move(*shape);
    location.storedAs = *stored;
    const std::uint64_t fileBytes = location.file->bytes().size();
    if (*count > fileBytes / itemSize(*stored) * kMostCompression) {
      return corrupt(file, location.dataset, "claims more elements than its file can hold");
    }
    const haddr_t offset = H5Dget_offset(dataset);
    if (offset != HADDR_UNDEF) {
      if (offset > fileBytes || *count > (fileBytes - offset) / itemSize(*stored)) {
        return corrupt(file, location.dataset, "reaches beyond the end of its file");
      }
      location.offset = offset;
    }
    return std::move(*capture);
  }

  static Result<Tensor> mapped(const Location& location) {
    return tensorAt(
        byteSourceOf(location.file), *location.offset, location.storedAs, location.shape);
  }

  /// Through HDF5: empty tensors, and files that another program has packed anew.
  static Result<Tensor> loaded(const Location& location) {
    auto made = ULP_TRY(newTensor(location.storedAs, location.shape));
    const Hdf5Session session;
    const UniqueHid file = openHdf5(location.file->path());
    const UniqueHid dataset = file ? openDataset(file.get(), location.dataset) : UniqueHid();
    const UniqueHid type = makeElementType(location.storedAs);
    const bool done =
        dataset && type &&
        H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, made.bytes) >= 0;
    if (!done) {
      return Hdf5Session::error(location.file->path(), location.dataset + ": cannot be read");
    }
    return std::move(made.tensor);
  }

  /// float8_e4m3fn that was stored as float16.
  static Result<Tensor> narrowed(const Tensor& halves) {
    auto made = ULP_TRY(newTensor(DType::Float8E4M3FN, halves.view.shape));
    const auto* source = static_cast<const std::uint16_t*>(halves.view.data);
    std::transform(source, source + halves.view.count(), made.bytes, halfToFloat8);
    return std::move(made.tensor);
  }

  // A file that was packed by another program can hold more elements than bytes; deflate reaches a
  // factor of about 1000.
  static constexpr std::uint64_t kMostCompression = 2048;

  path m_path;
  std::vector<StoredCapture> m_captures;
  std::vector<Location> m_locations;  ///< one for each capture
  std::vector<Error> m_problems;
  std::unordered_map<std::string, std::size_t> m_positions;
};

}  // namespace

Result<std::shared_ptr<const CaptureReader>> CaptureReader::open(
    const std::filesystem::path& path) {
  std::error_code ignored;
  const auto file = std::filesystem::is_directory(path, ignored) ? path / kIndexFile : path;
  if (!std::filesystem::exists(file, ignored)) {
    return fail(ErrorCode::NotFound,
                file.string() + ": does not exist; the run kept no tensors (capture.tensors)");
  }
  auto reader = std::make_shared<Hdf5CaptureReader>(file);
  ULP_TRY(reader->start());
  return reader;
}

}  // namespace ulp::tensors
