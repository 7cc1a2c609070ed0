#include "core/tensors/formats/numpy/npz.h"

#include <string_view>
#include <utility>
#include <vector>

#include "core/tensors/archive/name_index.h"
#include "core/tensors/archive/zip_directory.h"
#include "core/tensors/formats/numpy/npy.h"

namespace ulp::tensors {
namespace {

constexpr std::string_view kExtension = ".npy";
/// Holds the header of any array that is no record with hundreds of fields.
constexpr std::uint64_t kHeaderBytes = 70'000;

}  // namespace

Result<TensorArchivePtr> parseNpz(const ByteSource& source) {
  const auto all = ULP_TRY(readZipDirectory(source));
  std::vector<ZipMember> members;
  std::vector<TensorInfo> infos;
  for (const ZipMember& member : all) {
    if (!member.name.ends_with(kExtension)) {
      continue;
    }
    if (!isUtf8(member.name)) {
      return source.corrupt("zip: the name of member " + quotedName(member.name) + " is not UTF-8");
    }
    const auto beginning = ULP_TRY(readZipMember(source, member, kHeaderBytes));
    auto info = ULP_TRY(parseNpyInfo(beginning));
    info.name = member.name.substr(0, member.name.size() - kExtension.size());
    members.push_back(member);
    infos.push_back(std::move(info));
  }
  return makeArchive(source.path,
                     std::move(infos),
                     [source, members = std::move(members)](
                         const TensorInfo& /*info*/, std::size_t position) -> Result<Tensor> {
                       const auto content = ULP_TRY(readZipMember(source, members[position]));
                       return parseNpy(content);
                     });
}

}  // namespace ulp::tensors
