#include "core/tensors/formats/hdf5/hdf5_archive.h"

#include <utility>
#include <vector>

#include "core/base/list_of.h"
#include "core/tensors/archive/name_index.h"
#include "core/tensors/formats/hdf5/hdf5_file.h"

namespace ulp::tensors {

Result<TensorArchivePtr> openHdf5Archive(const std::filesystem::path& path) {
  auto file = ULP_TRY(Hdf5File::open(path));
  auto infos = listOf(file->contents().datasets, &Hdf5Dataset::info);
  return makeArchive(path,
                     std::move(infos),
                     [file = std::move(file)](const TensorInfo& /*info*/, std::size_t position) {
                       return file->read(file->contents().datasets[position]);
                     });
}

}  // namespace ulp::tensors
