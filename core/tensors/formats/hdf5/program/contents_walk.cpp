#include "core/tensors/formats/hdf5/program/contents_walk.h"

#include <optional>
#include <set>
#include <utility>

#include <H5Dpublic.h>
#include <H5Fpublic.h>
#include <H5Gpublic.h>
#include <H5Lpublic.h>
#include <H5Opublic.h>
#include <H5Ppublic.h>
#include <H5Spublic.h>

#include "core/tensors/archive/name_index.h"
#include "core/tensors/elements/stored_type.h"
#include "core/tensors/formats/hdf5/program/attribute_reading.h"
#include "core/tensors/formats/hdf5/program/number_type.h"
#include "core/tensors/formats/hdf5/program/open_objects.h"
#include "core/tensors/hdf5/session.h"

namespace ulp::tensors {
namespace {

constexpr std::size_t kMostHdf5Objects = 1'000'000;

/// Elements that other files hold are not asked for: a file names whatever it likes.
bool reachesOutside(hid_t dataset) {
  const UniqueHid properties(H5Dget_create_plist(dataset));
  return !properties || H5Pget_layout(properties.get()) == H5D_VIRTUAL ||
         H5Pget_external_count(properties.get()) > 0;
}

Hdf5Dataset describe(hid_t dataset, const NumberType& number, const std::string& name) {
  Hdf5Dataset described;
  const auto shape = datasetShape(dataset);
  described.info = {
      name, shape.value_or(std::vector<std::int64_t>()), number.dtype, number.storedAs};
  described.isWidened = number.isWidened;
  if (!shape) {
    described.refused = "holds no array";
  } else if (!number.memory) {
    described.refused = notRead(number.storedAs);
  } else if (reachesOutside(dataset)) {
    described.refused = "its elements are in other files, which are not read; open those";
  } else {
    static_assert(HADDR_UNDEF == Hdf5Dataset::kInPieces);
    described.offset = number.isMapped || number.isText ? H5Dget_offset(dataset) : HADDR_UNDEF;
    described.textWidth = number.isText ? number.itemSize : 0;
    described.refused = number.isText ? notRead(number.storedAs) : "";
  }
  return described;
}

/// An external link, whose names are as long as HDF5 lets them be.
std::optional<Hdf5Link> externalLink(hid_t group, const std::string& name, std::size_t size) {
  constexpr std::size_t kLongestLink = std::size_t{1} << 16U;
  if (size > kLongestLink) {
    return std::nullopt;
  }
  std::vector<char> value(size);
  unsigned flags = 0;
  const char* file = nullptr;
  const char* object = nullptr;
  const bool isRead = H5Lget_val(group, name.c_str(), value.data(), size, H5P_DEFAULT) >= 0 &&
                      H5Lunpack_elink_val(value.data(), size, &flags, &file, &object) >= 0;
  return isRead ? std::optional(Hdf5Link{name, file, object}) : std::nullopt;
}

/// Walks the groups of a file.
class Walk {
 public:
  Walk(const Hdf5Input& input, const std::vector<std::string>& attributes)
      : m_input(input), m_attributes(attributes) {}

  Result<Hdf5Contents> run() {
    const UniqueHid file = openHdf5(m_input.place);
    if (!file) {
      return Hdf5Session::error(m_input.name, "not a whole HDF5 file");
    }
    m_groups.emplace_back("");
    while (!m_groups.empty()) {
      const std::string group = std::move(m_groups.back());
      m_groups.pop_back();
      ULP_TRY(list(file.get(), group));
    }
    return std::move(m_contents);
  }

 private:
  Result<> list(hid_t file, const std::string& path) {
    const UniqueHid group = openGroup(file, path.empty() ? "/" : path);
    const auto names = group ? linkNames(group.get()) : std::nullopt;
    if (!names) {
      return unreadable(path);
    }
    m_contents.groups.push_back({path, readAttributes(group.get(), m_attributes)});
    std::vector<std::string> inner;
    for (const std::string& name : *names) {
      ULP_TRY(listOne(group.get(), path, name, inner));
    }
    m_groups.insert(m_groups.end(), inner.rbegin(), inner.rend());
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
      return corrupt(quotedName(full) + ": its name is not UTF-8");
    }
    H5L_info_t link{};
    if (H5Lget_info(group, name.c_str(), &link, H5P_DEFAULT) < 0) {
      return unreadable(full);
    }
    if (link.type != H5L_TYPE_HARD) {
      return link.type == H5L_TYPE_EXTERNAL ? addLink(group, name, full, link.u.val_size)
                                            : Result<>();
    }
    H5O_info_t object{};
    if (H5Oget_info_by_name2(group, name.c_str(), &object, H5O_INFO_BASIC, H5P_DEFAULT) < 0) {
      return unreadable(full);
    }
    ULP_TRY(checkNumber());
    if (object.type == H5O_TYPE_DATASET) {
      return add(group, name, full);
    }
    if (object.type == H5O_TYPE_GROUP && m_seen.insert(object.addr).second) {
      inner.push_back(std::move(full));
    }
    return {};
  }

  Result<> add(hid_t group, const std::string& name, const std::string& full) {
    const UniqueHid dataset = openDataset(group, name);
    const UniqueHid type(dataset ? H5Dget_type(dataset.get()) : H5I_INVALID_HID);
    if (!type) {
      return unreadable(full);
    }
    m_contents.datasets.push_back(describe(dataset.get(), numberTypeOf(type.get()), full));
    m_contents.datasets.back().attributes = readAttributes(dataset.get(), m_attributes);
    return {};
  }

  Result<> addLink(hid_t group,
                   const std::string& name,
                   const std::string& full,
                   std::size_t size) {
    ULP_TRY(checkNumber());
    auto link = externalLink(group, name, size);
    if (!link) {
      return unreadable(full);
    }
    link->path = full;
    m_contents.links.push_back(std::move(*link));
    return {};
  }

  [[nodiscard]] Result<> checkNumber() const {
    const std::size_t objects =
        m_seen.size() + m_contents.datasets.size() + m_contents.links.size();
    return objects > kMostHdf5Objects
               ? corrupt("more than " + std::to_string(kMostHdf5Objects) + " objects")
               : Result<>();
  }

  [[nodiscard]] tl::unexpected<Error> corrupt(const std::string& what) const {
    return fail(ErrorCode::CorruptData, m_input.name + ": " + what);
  }

  [[nodiscard]] tl::unexpected<Error> unreadable(const std::string& path) const {
    return Hdf5Session::error(m_input.name, quotedName(path) + ": cannot be read");
  }

  const Hdf5Input& m_input;
  const std::vector<std::string>& m_attributes;
  Hdf5Contents m_contents;
  std::vector<std::string> m_groups;  ///< still to be listed
  std::set<haddr_t> m_seen;           ///< groups, which links can lead to twice
};

}  // namespace

Result<Hdf5Contents> listContents(const Hdf5Input& input,
                                  const std::vector<std::string>& attributes) {
  const Hdf5Session session;
  return Walk(input, attributes).run();
}

Result<> readDataset(const Hdf5Input& input,
                     const std::string& name,
                     const std::string& kind,
                     std::span<std::byte> into) {
  const Hdf5Session session;
  const UniqueHid file = openHdf5(input.place);
  const UniqueHid dataset = file ? openDataset(file.get(), name) : UniqueHid();
  const UniqueHid type(dataset ? H5Dget_type(dataset.get()) : H5I_INVALID_HID);
  const NumberType number = type ? numberTypeOf(type.get()) : NumberType{};
  const auto shape = type ? datasetShape(dataset.get()) : std::nullopt;
  const bool isSame = number.memory && number.itemSize > 0 && shape &&
                      into.size() % number.itemSize == 0 &&
                      checkedCount(*shape) == into.size() / number.itemSize &&
                      kindOf({name, *shape, number.dtype, number.storedAs}) == kind;
  if (!isSame) {
    return fail(ErrorCode::CorruptData, "is no longer what it was when the file was opened");
  }
  if (H5Dread(dataset.get(), number.memory.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, into.data()) < 0) {
    return Hdf5Session::error(input.name, "cannot be read");
  }
  return {};
}

}  // namespace ulp::tensors
