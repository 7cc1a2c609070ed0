#include "core/tensors/hdf5/capture_writer.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include <H5Dpublic.h>
#include <H5Fpublic.h>
#include <H5Lpublic.h>
#include <H5Ppublic.h>
#include <H5Spublic.h>

#include "core/base/files/file_writer.h"
#include "core/base/files/folders.h"
#include "core/base/files/unfinished.h"
#include "core/tensors/archive/byte_source.h"
#include "core/tensors/archive/name_index.h"
#include "core/tensors/formats/hdf5/hdf5_file.h"
#include "core/tensors/hdf5/attributes.h"
#include "core/tensors/hdf5/files.h"
#include "core/tensors/hdf5/session.h"
#include "core/tensors/hdf5/types.h"
#include "core/tensors/store/capture_layout.h"
#include "core/tensors/store/float8_widening.h"

namespace ulp::tensors {
namespace {

using std::filesystem::path;

/// Elements ready to be written: all of a tensor or a subsample of it.
struct Elements {
  DType storedAs = DType::Float32;
  std::vector<std::int64_t> shape;
  std::uint64_t stride = 1;
  const void* data = nullptr;
  std::vector<std::byte> sampled;
  std::vector<std::uint16_t> halves;
};

Elements elementsOf(const numerics::TensorView& tensor, std::uint64_t sampleLimit) {
  Elements elements;
  elements.storedAs = tensor.dtype;
  elements.shape = tensor.shape;
  elements.data = tensor.data;
  const std::uint64_t count = tensor.count();
  elements.stride = sampleStride(count, sampleLimit, tensor.shape);
  std::uint64_t stored = count;
  if (elements.stride > 1) {
    const std::size_t item = itemSize(tensor.dtype);
    const auto* source = static_cast<const std::byte*>(tensor.data);
    stored = (count + elements.stride - 1) / elements.stride;
    elements.sampled.resize(stored * item);
    for (std::uint64_t i = 0; i < stored; ++i) {
      std::memcpy(elements.sampled.data() + i * item, source + i * elements.stride * item, item);
    }
    elements.shape = {static_cast<std::int64_t>(stored)};
    elements.data = elements.sampled.data();
  }
  const std::span bytes(static_cast<const std::byte*>(elements.data),
                        stored * itemSize(tensor.dtype));
  if (tensor.dtype == DType::Float8E4M3FN && exceedsIeeeFloat8(bytes)) {
    elements.halves = float8ToHalf(bytes);
    elements.data = elements.halves.data();
    elements.storedAs = DType::Float16;
  }
  return elements;
}

UniqueHid makeSpace(const std::vector<std::int64_t>& shape) {
  if (shape.empty()) {
    return UniqueHid(H5Screate(H5S_SCALAR));
  }
  const std::vector<hsize_t> dimensions(shape.begin(), shape.end());
  return UniqueHid(
      H5Screate_simple(static_cast<int>(dimensions.size()), dimensions.data(), nullptr));
}

/// Creates and writes one dataset; an invalid id when HDF5 refused.
UniqueHid writeDataset(hid_t pass, const std::string& name, const Elements& elements) {
  const UniqueHid type = makeElementType(elements.storedAs);
  const UniqueHid space = makeSpace(elements.shape);
  const UniqueHid properties = contiguousProperties(H5D_FILL_TIME_NEVER);
  if (!type || !space || !properties) {
    return {};
  }
  UniqueHid dataset(H5Dcreate2(
      pass, name.c_str(), type.get(), space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT));
  const bool written =
      dataset &&
      H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, elements.data) >= 0;
  return written ? std::move(dataset) : UniqueHid();
}

bool writeSite(hid_t dataset,
               const Site& site,
               const numerics::TensorView& tensor,
               std::uint64_t stride) {
  const bool described = writeText(dataset, "name", site.name) &&
                         writeText(dataset, "module", site.module) &&
                         writeInteger(dataset, "layer", site.layer) &&
                         writeText(dataset, "level", toString(site.level)) &&
                         writeText(dataset, "dtype", toString(tensor.dtype));
  return described && (stride == 1 ||
                       (writeIntegers(dataset, "full_shape", tensor.shape) &&
                        writeInteger(dataset, "sample_stride", static_cast<std::int64_t>(stride))));
}

/// The run that is being written. Destroyed before it is complete, it leaves nothing behind.
class OpenRun {
 public:
  OpenRun(std::string name, path target) : m_name(std::move(name)), m_target(std::move(target)) {}
  ~OpenRun() { discard(); }
  OpenRun(const OpenRun&) = delete;
  OpenRun& operator=(const OpenRun&) = delete;

  [[nodiscard]] const std::string& name() const { return m_name; }

  Result<> create() {
    m_writer = ULP_TRY(FileWriter::create(m_target));
    m_file = createHdf5(*m_writer, m_health);
    const UniqueHid runs = m_file ? createGroup(m_file.get(), "runs") : UniqueHid();
    m_group = runs ? createGroup(runs.get(), runLinkName(m_name)) : UniqueHid();
    const bool made = m_group && writeText(m_group.get(), "name", m_name) && m_health.ok();
    return made ? Result<>() : writeError(m_target, "cannot create", m_health);
  }

  Result<> put(const Site& site, const numerics::TensorView& tensor, std::uint64_t sampleLimit) {
    const std::string name = captureLinkName(site);
    UniqueHid& pass = m_passes.at(static_cast<std::size_t>(site.pass));
    if (!pass) {
      pass = createGroup(m_group.get(), std::string(toString(site.pass)));
    }
    if (pass && H5Lexists(pass.get(), name.c_str(), H5P_DEFAULT) > 0) {
      return fail(ErrorCode::InvalidArgument,
                  m_target.string() + ": " + quotedName(name) + ": was stored before in pass " +
                      std::string(toString(site.pass)));
    }
    const Elements elements = elementsOf(tensor, sampleLimit);
    const UniqueHid dataset = pass ? writeDataset(pass.get(), name, elements) : UniqueHid();
    const bool written =
        dataset && writeSite(dataset.get(), site, tensor, elements.stride) && m_health.ok();
    return written ? Result<>()
                   : writeError(m_target, "cannot write " + quotedName(name), m_health);
  }

  Result<> finish() {
    m_passes = {};
    m_group.reset();
    if (H5Fclose(m_file.release()) < 0 || !m_health.ok()) {
      return writeError(m_target, "cannot write", m_health);
    }
    return m_writer->commit();
  }

 private:
  void discard() {
    const Hdf5Session session;
    m_health.abandoned = true;
    m_passes = {};
    m_group.reset();
    m_file.reset();
  }

  std::string m_name;
  path m_target;
  std::optional<FileWriter> m_writer;  ///< outlives what HDF5 has open
  WriteHealth m_health;
  UniqueHid m_file;
  UniqueHid m_group;
  std::array<UniqueHid, kPasses.size()> m_passes;
};

class Hdf5CaptureWriter final : public CaptureWriter {
 public:
  explicit Hdf5CaptureWriter(path folder) : m_folder(std::move(folder)) {}

  Result<> start() {
    const Hdf5Session session;
    ULP_TRY(makeFolders(runFolder()));
    ULP_TRY(findRuns());
    return writeIndex();
  }

  Result<> beginRun(std::string_view run) override {
    const Hdf5Session session;
    if (run.empty() || !isUtf8(run)) {
      return fail(ErrorCode::InvalidArgument,
                  m_folder.string() + ": run " + quotedName(run) + ": not a name for a run");
    }
    m_run.reset();
    m_run.emplace(std::string(run), runFolder() / runFileName(run));
    auto created = m_run->create();
    if (!created) {
      m_run.reset();
    }
    return created;
  }

  Result<> put(const Site& site,
               const numerics::TensorView& tensor,
               std::uint64_t sampleLimit) override {
    const Hdf5Session session;
    if (!m_run) {
      return noRun();
    }
    const std::string name = captureLinkName(site);
    if (!isLinkName(name) || !isUtf8(name)) {
      return fail(ErrorCode::InvalidArgument,
                  m_folder.string() + ": run " + quotedName(m_run->name()) + ": site " +
                      quotedName(name) + ": not a name that can be stored");
    }
    auto stored = m_run->put(site, tensor, sampleLimit);
    if (!stored && stored.error().code() != ErrorCode::InvalidArgument) {
      m_run.reset();
    }
    return stored;
  }

  Result<> finishRun() override {
    const Hdf5Session session;
    if (!m_run) {
      return noRun();
    }
    auto finished = m_run->finish();
    if (finished) {
      m_files.insert_or_assign(m_run->name(), runFileName(m_run->name()));
    }
    m_run.reset();
    return finished ? writeIndex() : finished;
  }

 private:
  [[nodiscard]] path runFolder() const { return m_folder / kRunFolder; }

  [[nodiscard]] tl::unexpected<Error> noRun() const {
    return fail(ErrorCode::InvalidArgument,
                m_folder.string() + ": no run is being written; one that failed must begin again");
  }

  /// Complete runs of an earlier process; what an unfinished one left is removed.
  Result<> findRuns() {
    removeUnfinished(runFolder());
    std::error_code failed;
    std::filesystem::directory_iterator entry(runFolder(), failed);
    for (; !failed && entry != std::filesystem::directory_iterator(); entry.increment(failed)) {
      const path& file = entry->path();
      if (file.extension() == ".h5") {
        auto name = ULP_TRY(runNameOf(file));
        m_files.insert_or_assign(std::move(name), file.filename().string());
      }
    }
    return failed ? fail(systemError(runFolder(), "cannot read", failed.value())) : Result<>();
  }

  /// Another process wrote it, so that Hdf5File reads it.
  static Result<std::string> runNameOf(const path& file) {
    static constexpr std::array<std::string_view, 1> kName{"name"};
    const auto opened = Hdf5File::open(file, kName);
    if (!opened && opened.error().code() != ErrorCode::CorruptData) {
      return tl::unexpected(opened.error());
    }
    auto groups = opened ? (*opened)->contents().groups : std::vector<Hdf5Group>();
    std::erase_if(groups, [](const Hdf5Group& group) { return !isRunGroup(group.path); });
    const std::string* name =
        groups.size() == 1 ? textIn(groups.front().attributes, "name") : nullptr;
    if (name != nullptr) {
      return *name;
    }
    return fail(ErrorCode::CorruptData,
                file.string() + ": holds no complete run; remove the file" +
                    (opened ? "" : " (" + opened.error().message() + ")"));
  }

  /// tensors.h5 with a link to the file of each complete run.
  [[nodiscard]] Result<> writeIndex() const {
    return replaceHdf5(m_folder / kIndexFile, [this](hid_t file) {
      const UniqueHid runs = createGroup(file, "runs");
      return runs && std::ranges::all_of(m_files, [&](const auto& written) {
               const auto& [run, name] = written;
               const std::string link = runLinkName(run);
               const std::string target = std::string(kRunFolder) + "/" + name;
               const std::string object = "/runs/" + link;
               return H5Lcreate_external(target.c_str(),
                                         object.c_str(),
                                         runs.get(),
                                         link.c_str(),
                                         H5P_DEFAULT,
                                         H5P_DEFAULT) >= 0;
             });
    });
  }

  path m_folder;
  std::map<std::string, std::string> m_files;  ///< complete runs and the names of their files
  std::optional<OpenRun> m_run;
};

}  // namespace

Result<std::unique_ptr<CaptureWriter>> CaptureWriter::create(const std::filesystem::path& folder) {
  auto writer = std::make_unique<Hdf5CaptureWriter>(folder);
  ULP_TRY(writer->start());
  return writer;
}

}  // namespace ulp::tensors
