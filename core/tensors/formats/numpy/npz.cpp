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

class NpzArchive final : public TensorArchive {
 public:
  NpzArchive(ByteSource source, std::vector<ZipMember> members, std::vector<TensorInfo> infos)
      : m_source(std::move(source)),
        m_members(std::move(members)),
        m_infos(std::move(infos)),
        m_index(m_infos) {}

  [[nodiscard]] const std::vector<TensorInfo>& tensors() const override { return m_infos; }
  [[nodiscard]] const std::filesystem::path& path() const override { return m_source.path; }

  [[nodiscard]] Result<Tensor> read(std::string_view name) const override {
    const auto position = ULP_TRY(m_index.find(m_source.path, name));
    const auto content = readZipMember(m_source, m_members[position]);
    return content ? parseNpy(*content) : tl::unexpected(content.error());
  }

 private:
  ByteSource m_source;
  std::vector<ZipMember> m_members;  ///< one for each array
  std::vector<TensorInfo> m_infos;
  NameIndex m_index;
};

}  // namespace

Result<TensorArchivePtr> parseNpz(ByteSource source) {
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
    const auto beginning = readZipMember(source, member, kHeaderBytes);
    auto info = ULP_TRY(beginning ? parseNpyInfo(*beginning) : tl::unexpected(beginning.error()));
    info.name = member.name.substr(0, member.name.size() - kExtension.size());
    members.push_back(member);
    infos.push_back(std::move(info));
  }
  return std::make_shared<const NpzArchive>(
      std::move(source), std::move(members), std::move(infos));
}

Result<TensorArchivePtr> openNpz(const std::filesystem::path& path) {
  auto source = openByteSource(path);
  return source ? parseNpz(*std::move(source)) : tl::unexpected(std::move(source.error()));
}

}  // namespace ulp::tensors
