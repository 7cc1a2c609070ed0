#include "core/tensors/hdf5_archive.h"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <H5Dpublic.h>
#include <H5Fpublic.h>
#include <H5Gpublic.h>
#include <H5Lpublic.h>
#include <H5Opublic.h>
#include <H5Ppublic.h>
#include <H5Spublic.h>

#include "core/tensors/byte_source.h"
#include "core/tensors/hdf5/files.h"
#include "core/tensors/hdf5/number_type.h"
#include "core/tensors/hdf5/session.h"
#include "core/tensors/name_index.h"
#include "core/tensors/stored_type.h"
#include "core/tensors/widen.h"

namespace ulp::tensors {
namespace {

constexpr std::size_t kMostObjects = 1'000'000;
/// Deflate, the strongest of HDF5's own filters, reaches a factor of about 1000.
constexpr std::uint64_t kMostCompression = 2048;

/// Where the elements of a dataset are.
struct Place {
  std::optional<std::size_t> offset;  ///< in the file, where they lie in one piece as in memory
  std::string refused;                ///< why they are not read; empty: they are
};

/// Nothing: no array (H5S_NULL), or HDF5 refused.
std::optional<std::vector<std::int64_t>> shapeOf(hid_t dataset) {
  const UniqueHid space(H5Dget_space(dataset));
  const int rank = space ? H5Sget_simple_extent_ndims(space.get()) : -1;
  if (rank < 0 || H5Sget_simple_extent_type(space.get()) == H5S_NULL) {
    return std::nullopt;
  }
  std::vector<hsize_t> dimensions(static_cast<std::size_t>(rank));
  if (H5Sget_simple_extent_dims(space.get(), dimensions.data(), nullptr) < 0) {
    return std::nullopt;
  }
  return std::vector<std::int64_t>(dimensions.begin(), dimensions.end());
}

/// Elements that other files hold are not asked for: a file names whatever it likes.
bool reachesOutside(hid_t dataset) {
  const UniqueHid properties(H5Dget_create_plist(dataset));
  return !properties || H5Pget_layout(properties.get()) == H5D_VIRTUAL ||
         H5Pget_external_count(properties.get()) > 0;
}

class Hdf5Archive final : public TensorArchive {
 public:
  explicit Hdf5Archive(ByteSource source) : m_source(std::move(source)) {}

  [[nodiscard]] const std::vector<TensorInfo>& tensors() const override { return m_infos; }
  [[nodiscard]] const std::filesystem::path& path() const override { return m_source.path; }

  Result<> start() {
    const Hdf5Session session;
    const UniqueHid file = openHdf5(m_source.path);
    if (!file) {
      return tl::unexpected(
          Hdf5Session::error(m_source.path, "not a whole HDF5 file", ErrorCode::CorruptData));
    }
    std::vector<std::string> groups{""};
    while (!groups.empty()) {
      const std::string group = std::move(groups.back());
      groups.pop_back();
      if (auto done = list(file.get(), group, groups); !done) {
        return done;
      }
    }
    m_index = NameIndex(m_infos);
    return {};
  }

  [[nodiscard]] Result<Tensor> read(std::string_view name) const override {
    const auto position = m_index.find(m_source.path, name);
    if (!position) {
      return tl::unexpected(position.error());
    }
    const Place& place = m_places[*position];
    const TensorInfo& info = m_infos[*position];
    auto tensor = !place.refused.empty() ? fail(ErrorCode::Unsupported, place.refused)
                  : place.offset         ? tensorAt(m_source, *place.offset, info.dtype, info.shape)
                                         : loaded(info);
    if (!tensor) {
      return failWhile(m_source.path.string() + ": " + quotedName(name), std::move(tensor));
    }
    return tensor;
  }

 private:
  /// Datasets of a group, and its groups into `groups`.
  Result<> list(hid_t file, const std::string& path, std::vector<std::string>& groups) {
    const UniqueHid group = openGroup(file, path.empty() ? "/" : path);
    const auto names = group ? linkNames(group.get()) : std::nullopt;
    if (!names) {
      return unreadable(path);
    }
    std::vector<std::string> inner;
    for (const std::string& name : *names) {
      if (auto done = listOne(group.get(), path, name, inner); !done) {
        return done;
      }
    }
    groups.insert(groups.end(), inner.rbegin(), inner.rend());
    return {};
  }

  Result<> listOne(hid_t group,
                   const std::string& path,
                   const std::string& name,
                   std::vector<std::string>& inner) {
    std::string full = path;
    full += path.empty() ? "" : "/";
    full += name;
    if (!isUtf8(name)) {
      return m_source.corrupt(quotedName(full) + ": its name is not UTF-8");
    }
    H5L_info_t link{};
    if (H5Lget_info(group, name.c_str(), &link, H5P_DEFAULT) < 0) {
      return unreadable(full);
    }
    if (link.type != H5L_TYPE_HARD) {
      return {};
    }
    H5O_info_t object{};
    if (H5Oget_info_by_name2(group, name.c_str(), &object, H5O_INFO_BASIC, H5P_DEFAULT) < 0) {
      return unreadable(full);
    }
    if (m_seen.size() + m_infos.size() > kMostObjects) {
      return m_source.corrupt("more than " + std::to_string(kMostObjects) + " objects");
    }
    if (object.type == H5O_TYPE_DATASET) {
      return add(group, name, full);
    }
    if (object.type == H5O_TYPE_GROUP && m_seen.insert(object.addr).second) {
      inner.push_back(std::move(full));
    }
    return {};
  }

  Result<> add(hid_t group, const std::string& name, const std::string& full) {
    const UniqueHid dataset(H5Dopen2(group, name.c_str(), H5P_DEFAULT));
    const UniqueHid type(dataset ? H5Dget_type(dataset.get()) : H5I_INVALID_HID);
    if (!type) {
      return unreadable(full);
    }
    const NumberType number = numberTypeOf(type.get());
    auto shape = shapeOf(dataset.get());
    Place place;
    if (!shape) {
      shape.emplace();
      place.refused = "holds no array";
    } else if (!number.memory) {
      place.refused = notRead(number.storedAs);
    } else if (reachesOutside(dataset.get())) {
      place.refused = "its elements are in other files, which are not read; open those";
    } else if (auto found = locate(dataset.get(), number, *shape); !found) {
      return failWhile(m_source.path.string() + ": " + quotedName(full), std::move(found));
    } else {
      place.offset = *found;
    }
    m_infos.push_back({full, *std::move(shape), number.dtype, number.storedAs});
    m_places.push_back(std::move(place));
    return {};
  }

  /// The offset of elements that can be mapped. Error: more than the file can hold.
  [[nodiscard]] Result<std::optional<std::size_t>> locate(
      hid_t dataset, const NumberType& number, const std::vector<std::int64_t>& shape) const {
    const auto count = checkedCount(shape);
    const std::uint64_t bytes = m_source.bytes.size();
    if (!count || *count > bytes / number.itemSize * kMostCompression) {
      return fail(ErrorCode::CorruptData, "claims more elements than its file can hold");
    }
    const haddr_t offset = number.isMapped ? H5Dget_offset(dataset) : HADDR_UNDEF;
    if (offset == HADDR_UNDEF) {
      return std::optional<std::size_t>();
    }
    if (offset > bytes || *count > (bytes - offset) / number.itemSize) {
      return fail(ErrorCode::CorruptData, "reaches beyond the end of its file");
    }
    return std::optional<std::size_t>(offset);
  }

  [[nodiscard]] Result<Tensor> loaded(const TensorInfo& info) const {
    const Hdf5Session session;
    const UniqueHid file = openHdf5(m_source.path);
    const UniqueHid dataset(file ? H5Dopen2(file.get(), info.name.c_str(), H5P_DEFAULT)
                                 : H5I_INVALID_HID);
    const UniqueHid type(dataset ? H5Dget_type(dataset.get()) : H5I_INVALID_HID);
    const NumberType number = type ? numberTypeOf(type.get()) : NumberType{};
    const std::size_t size = checkedCount(info.shape).value_or(0) * number.itemSize;
    // The file may be another by now.
    if (!number.memory || shapeOf(dataset.get()) != info.shape) {
      return fail(ErrorCode::CorruptData, "is no longer what it was when the file was opened");
    }
    auto memory = allocateBytes(size);
    if (!memory) {
      return tl::unexpected(std::move(memory.error()));
    }
    if (H5Dread(dataset.get(), number.memory.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, memory->get()) <
        0) {
      return tl::unexpected(
          Hdf5Session::error(m_source.path, "cannot be read", ErrorCode::CorruptData));
    }
    const ByteSource source{m_source.path, {memory->get(), size}, *memory};
    return number.isWidened ? widened(source.bytes, info)
                            : tensorAt(source, 0, info.dtype, info.shape);
  }

  [[nodiscard]] tl::unexpected<Error> unreadable(const std::string& path) const {
    return tl::unexpected(Hdf5Session::error(
        m_source.path, quotedName(path) + ": cannot be read", ErrorCode::CorruptData));
  }

  ByteSource m_source;
  std::vector<TensorInfo> m_infos;
  std::vector<Place> m_places;  ///< one for each dataset
  std::set<haddr_t> m_seen;     ///< groups
  NameIndex m_index;
};

}  // namespace

Result<TensorArchivePtr> openHdf5Archive(const std::filesystem::path& path) {
  auto source = openByteSource(path);
  if (!source) {
    return tl::unexpected(std::move(source.error()));
  }
  auto archive = std::make_shared<Hdf5Archive>(*std::move(source));
  if (auto started = archive->start(); !started) {
    return tl::unexpected(std::move(started.error()));
  }
  return archive;
}

}  // namespace ulp::tensors
