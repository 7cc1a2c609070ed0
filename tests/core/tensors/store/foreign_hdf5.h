#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <H5Apublic.h>
#include <H5Dpublic.h>
#include <H5Fpublic.h>
#include <H5Gpublic.h>
#include <H5Lpublic.h>
#include <H5Ppublic.h>
#include <H5Spublic.h>
#include <H5Tpublic.h>

#include "core/tensors/hdf5/attributes.h"
#include "core/tensors/hdf5/session.h"

/// What other programs than ours may do to files of captures and samples.
namespace ulp::tensors {

/// An HDF5 file that is made or changed.
class ForeignHdf5 {
 public:
  /// One that is there is changed.
  explicit ForeignHdf5(const std::filesystem::path& path)
      : m_file(std::filesystem::exists(path)
                   ? H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)
                   : H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT)) {}

  /// False where HDF5 refused anything so far.
  [[nodiscard]] bool ok() const { return m_file && m_isWell; }

  /// With the groups in front of it.
  void group(const std::string& path, std::string_view name) {
    const UniqueHid made(
        H5Gcreate2(m_file.get(), path.c_str(), parents().get(), H5P_DEFAULT, H5P_DEFAULT));
    note(made && writeText(made.get(), "name", name));
  }

  /// Chunks of one element, none of which is written: any extent takes no room.
  void endless(const std::string& path, hid_t type, const std::vector<hsize_t>& extents) {
    const std::vector<hsize_t> ones(extents.size(), 1);
    const UniqueHid properties(H5Pcreate(H5P_DATASET_CREATE));
    note(H5Pset_chunk(properties.get(), static_cast<int>(ones.size()), ones.data()) >= 0);
    make(path, type, extents, properties.get());
  }

  /// Attributes of a capture of float32.
  void describe(const std::string& path, std::string_view row) {
    const UniqueHid dataset(H5Dopen2(m_file.get(), path.c_str(), H5P_DEFAULT));
    note(dataset && writeText(dataset.get(), "name", row) &&
         writeText(dataset.get(), "module", "") && writeInteger(dataset.get(), "layer", -1) &&
         writeText(dataset.get(), "level", "op") && writeText(dataset.get(), "dtype", "float32"));
  }

  void remove(const std::string& path) {
    note(H5Ldelete(m_file.get(), path.c_str(), H5P_DEFAULT) >= 0);
  }

  /// A second name of an object of the file.
  void alias(const std::string& path, const std::string& object) {
    note(H5Lcreate_hard(m_file.get(),
                        object.c_str(),
                        m_file.get(),
                        path.c_str(),
                        parents().get(),
                        H5P_DEFAULT) >= 0);
  }

  void link(const std::string& path, const std::string& file, const std::string& object) {
    note(H5Lcreate_external(file.c_str(),
                            object.c_str(),
                            m_file.get(),
                            path.c_str(),
                            parents().get(),
                            H5P_DEFAULT) >= 0);
  }

  /// As h5repack -f GZIP=4: the same elements in one compressed chunk, attributes left out.
  void pack(const std::string& path) {
    const UniqueHid old(H5Dopen2(m_file.get(), path.c_str(), H5P_DEFAULT));
    const UniqueHid space(H5Dget_space(old.get()));
    const UniqueHid type(H5Dget_type(old.get()));
    std::vector<hsize_t> extents(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space.get())));
    H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr);
    std::string elements(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get())) *
                             H5Tget_size(type.get()),
                         '\0');
    note(H5Dread(old.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, elements.data()) >= 0);
    remove(path);
    const UniqueHid properties(H5Pcreate(H5P_DATASET_CREATE));
    note(H5Pset_chunk(properties.get(), static_cast<int>(extents.size()), extents.data()) >= 0 &&
         H5Pset_deflate(properties.get(), 4) >= 0);
    make(path, type.get(), extents, properties.get());
    const UniqueHid made(H5Dopen2(m_file.get(), path.c_str(), H5P_DEFAULT));
    note(H5Dwrite(made.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, elements.data()) >= 0);
  }

 private:
  static UniqueHid parents() {
    UniqueHid properties(H5Pcreate(H5P_LINK_CREATE));
    H5Pset_create_intermediate_group(properties.get(), 1);
    return properties;
  }

  void make(const std::string& path,
            hid_t type,
            const std::vector<hsize_t>& extents,
            hid_t properties) {
    const UniqueHid space(
        H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr));
    note(UniqueHid(H5Dcreate2(m_file.get(),
                              path.c_str(),
                              type,
                              space.get(),
                              parents().get(),
                              properties,
                              H5P_DEFAULT))
             .
             operator bool());
  }

  void note(bool isDone) { m_isWell = m_isWell && isDone; }

  Hdf5Session m_session;
  UniqueHid m_file;
  bool m_isWell = true;
};

}  // namespace ulp::tensors
