#include "core/tensors/store/capture_reader.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <iterator>
#include <optional>
#include <system_error>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/base/files/in_pieces.h"
#include "core/base/model_limits.h"
#include "core/base/stop_scope.h"
#include "core/base/threads.h"
#include "core/tensors/archive/byte_reader.h"
#include "core/tensors/archive/byte_source.h"
#include "core/tensors/archive/name_index.h"
#include "core/tensors/formats/hdf5/hdf5_file.h"
#include "core/tensors/store/capture_layout.h"
#include "core/tensors/store/float8_widening.h"

namespace ulp::tensors {
namespace {

using std::filesystem::path;
using Hdf5FilePtr = std::shared_ptr<const Hdf5File>;

constexpr std::array<std::string_view, 7> kAttributes{
    "name", "module", "layer", "level", "dtype", "full_shape", "sample_stride"};

std::string keyOf(std::string_view run, const Site& site) {
  std::string key(run);
  key += '\0';
  key += toString(site.pass);
  key += '\0';
  key += site.name;
  return key;
}

tl::unexpected<Error> corrupt(const path& file, std::string_view place, std::string_view what) {
  return fail(ErrorCode::CorruptData,
              file.string() + ": " + quotedName(place) + ": " + std::string(what));
}

std::optional<std::int64_t> integerIn(const Hdf5Attributes& attributes, std::string_view name) {
  const auto* integers = integersIn(attributes, name);
  return integers != nullptr && integers->size() == 1 ? std::optional(integers->front())
                                                      : std::nullopt;
}

/// What the attributes of a dataset say; nothing when one is missing or has a wrong value.
std::optional<StoredCapture> describedBy(const Hdf5Attributes& attributes) {
  const auto textOrNone = [&attributes](std::string_view name) {
    const std::string* text = textIn(attributes, name);
    return text != nullptr ? *text : std::string();
  };
  const auto* name = textIn(attributes, "name");
  const auto* module = textIn(attributes, "module");
  const auto layer = integerIn(attributes, "layer");
  const auto level = parseLevel(textOrNone("level"));
  const auto dtype = parseDType(textOrNone("dtype"));
  if (name == nullptr || module == nullptr || !layer || !level || !dtype) {
    return std::nullopt;
  }
  if (!isLayerNumber(*layer)) {
    return std::nullopt;
  }
  StoredCapture capture;
  capture.site = {*name, *module, static_cast<int>(*layer), *level, Pass::Forward};
  capture.dtype = *dtype;
  return capture;
}

/// Whether `stored` holds elements of `dtype`: as they are, or float8_e4m3fn as float16.
bool holds(const TensorInfo& stored, DType dtype) {
  const bool isWidened = dtype == DType::Float8E4M3FN && stored.dtype == DType::Float16;
  return (stored.dtype == dtype || isWidened) && stored.storedAs == toString(stored.dtype);
}

/// The full shape and stride of a subsample; false when they contradict the stored elements.
bool takeSampling(const Hdf5Dataset& dataset, std::uint64_t storedCount, StoredCapture& capture) {
  const auto* full = integersIn(dataset.attributes, "full_shape");
  const auto stride = integerIn(dataset.attributes, "sample_stride");
  if (!stride) {
    return full == nullptr;
  }
  const auto count = full != nullptr ? checkedCount(*full) : std::nullopt;
  if (*stride < 1 || !count) {
    return false;
  }
  const auto step = static_cast<std::uint64_t>(*stride);
  if (*count / step + (*count % step != 0 ? 1 : 0) != storedCount) {
    return false;
  }
  capture.shape = *full;
  capture.sampleStride = step;
  return true;
}

/// float8_e4m3fn that was stored as float16.
Result<Tensor> narrowed(const Tensor& halves) {
  auto made = ULP_TRY(newTensor(DType::Float8E4M3FN, halves.view.shape));
  std::byte* to = made.bytes;
  ULP_TRY(inPieces(halves.view.bytes(), halves.file.get(), [&](std::span<const std::byte> piece) {
    for (std::size_t i = 0; i < piece.size(); i += sizeof(std::uint16_t)) {
      *to++ = halfToFloat8(numberAt<std::uint16_t>(piece, i));
    }
  }));
  ULP_TRY(checkIntact(halves));
  return std::move(made.tensor);
}

class Hdf5CaptureReader final : public CaptureReader {
 public:
  explicit Hdf5CaptureReader(path file) : m_path(std::move(file)) {}

  [[nodiscard]] const std::vector<StoredCapture>& captures() const override { return m_captures; }
  [[nodiscard]] const StoredCapture* find(std::string_view run, const Site& site) const override {
    const auto found = m_positions.find(keyOf(run, site));
    return found == m_positions.end() ? nullptr : &m_captures[found->second];
  }
  [[nodiscard]] const std::vector<Error>& problems() const override { return m_problems; }

  Result<> start() {
    const auto index = ULP_TRY(Hdf5File::open(m_path, kAttributes));
    if (index->group("runs") == nullptr) {
      return fail(ErrorCode::CorruptData, m_path.string() + ": not a file of captured tensors");
    }
    const DatasetsByRun datasets = datasetsByRun(*index);
    for (const Hdf5Group& group : index->contents().groups) {
      if (isRunGroup(group.path)) {
        add(placeOf(group.path), listRun(index, group.path, datasets));
      }
    }
    ULP_TRY(followLinks(index->contents().links));
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
    const auto& [file, dataset] = m_places[found->second];
    auto stored = ULP_TRY(file->read(*dataset));
    const bool isNarrow = stored.view.dtype != m_captures[found->second].dtype;
    return isNarrow ? narrowed(stored) : Result<Tensor>(std::move(stored));
  }

 private:
  /// Where the elements of a capture are.
  struct Place {
    Hdf5FilePtr file;
    const Hdf5Dataset* dataset;  ///< of the file's contents
  };
  struct Listed {
    std::vector<StoredCapture> captures;
    std::vector<Place> places;
  };

  void add(std::string_view place, Result<Listed> listed) {
    if (!listed) {
      m_problems.push_back(std::move(listed.error()).whileDoing(place));
      return;
    }
    std::ranges::move(listed->captures, std::back_inserter(m_captures));
    std::ranges::move(listed->places, std::back_inserter(m_places));
  }

  [[nodiscard]] std::string placeOf(std::string_view group) const {
    return m_path.string() + ": run " + quotedName(group.substr(group.find('/') + 1));
  }

  /// Opens the files of the runs at once. Error: Cancelled.
  Result<> followLinks(const std::vector<Hdf5Link>& all) {
    std::vector<const Hdf5Link*> links;
    std::unordered_set<std::string_view> files;
    for (const Hdf5Link& link : all) {
      if (!isRunGroup(link.path)) {
        continue;
      }
      if (!files.insert(link.file).second) {
        return corrupt(m_path, link.path, "leads to a file that another run has already");
      }
      links.push_back(&link);
    }
    std::vector<Result<Listed>> runs(links.size());
    std::atomic<std::size_t> next = 0;
    ULP_TRY(runOnThreads(threadsFor(links.size()), [&](std::size_t /*thread*/) {
      for (std::size_t i = next++; i < links.size() && !currentStop().stop_requested();
           i = next++) {
        runs[i] = listLinked(*links[i]);
      }
    }));
    if (currentStop().stop_requested()) {
      return fail(ErrorCode::Cancelled, "reading was cancelled");
    }
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const bool isLost = !runs[i] && (runs[i].error().code() == ErrorCode::NotFound ||
                                       runs[i].error().code() == ErrorCode::CorruptData);
      add(placeOf(links[i]->path) + (isLost ? ": its file in " + std::string(kRunFolder) +
                                                  "/ is missing or damaged; run the study again"
                                            : ""),
          std::move(runs[i]));
    }
    return {};
  }

  /// A link names whatever it likes: only what lies where the writer puts it is opened.
  [[nodiscard]] Result<Listed> listLinked(const Hdf5Link& link) const {
    const path file(link.file);
    const std::string name = file.filename().string();
    const bool isInside = link.file == std::string(kRunFolder) + "/" + name && isLinkName(name) &&
                          link.object.starts_with('/');
    if (!isInside) {
      return fail(ErrorCode::CorruptData,
                  quotedName(link.file) + ": not a file of the folder " + std::string(kRunFolder));
    }
    const auto opened = ULP_TRY(Hdf5File::open(m_path.parent_path() / file, kAttributes));
    return listRun(opened, link.object.substr(1), datasetsByRun(*opened));
  }

  /// Keys: "runs/<name>", what stands before the second slash of a dataset's path.
  using DatasetsByRun = std::unordered_map<std::string_view, std::vector<const Hdf5Dataset*>>;

  static DatasetsByRun datasetsByRun(const Hdf5File& file) {
    DatasetsByRun datasets;
    for (const Hdf5Dataset& dataset : file.contents().datasets) {
      const std::string_view name = dataset.info.name;
      const std::size_t first = name.find('/');
      const std::size_t second =
          first == std::string::npos ? std::string::npos : name.find('/', first + 1);
      if (second != std::string::npos) {
        datasets[name.substr(0, second)].push_back(&dataset);
      }
    }
    return datasets;
  }

  static Result<Listed> listRun(const Hdf5FilePtr& file,
                                const std::string& groupPath,
                                const DatasetsByRun& datasets) {
    const Hdf5Group* group = file->group(groupPath);
    const std::string* run = group != nullptr ? textIn(group->attributes, "name") : nullptr;
    if (run == nullptr) {
      return corrupt(file->path(), groupPath, "not the tensors of a run");
    }
    Listed listed;
    const auto ofRun = datasets.find(groupPath);
    if (ofRun == datasets.end()) {
      return listed;
    }
    for (const Hdf5Dataset* dataset : ofRun->second) {
      const std::string_view name = dataset->info.name;
      const std::string_view rest = name.substr(groupPath.size() + 1);
      const auto pass = parsePass(rest.substr(0, rest.find('/')));
      if (!pass || std::ranges::count(rest, '/') != 1) {
        return corrupt(file->path(), name, "not a tensor of a known pass");
      }
      auto capture = ULP_TRY(describe(file->path(), *dataset));
      capture.run = *run;
      capture.site.pass = *pass;
      listed.captures.push_back(std::move(capture));
      listed.places.push_back({file, dataset});
    }
    return listed;
  }

  static Result<StoredCapture> describe(const path& file, const Hdf5Dataset& dataset) {
    const std::string& place = dataset.info.name;
    auto capture = describedBy(dataset.attributes);
    const auto count = checkedCount(dataset.info.shape);
    if (!capture || !count) {
      return corrupt(file, place, "an attribute is missing or has a wrong value");
    }
    if (!dataset.refused.empty()) {
      return corrupt(file, place, dataset.refused);
    }
    if (!holds(dataset.info, capture->dtype)) {
      return corrupt(file, place, "its elements are not of the type that it names");
    }
    capture->shape = dataset.info.shape;
    if (!takeSampling(dataset, *count, *capture)) {
      return corrupt(file, place, "full_shape and sample_stride do not fit its size");
    }
    return std::move(*capture);
  }

  path m_path;
  std::vector<StoredCapture> m_captures;
  std::vector<Place> m_places;  ///< one for each capture
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
