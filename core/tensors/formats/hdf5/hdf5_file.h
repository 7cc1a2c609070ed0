#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/tensors/archive/byte_source.h"
#include "core/tensors/archive/tensor_archive.h"
#include "core/tensors/formats/hdf5/hdf5_contents.h"
#include "core/tensors/formats/hdf5/input_file.h"

namespace ulp::tensors {

/// An HDF5 file, whoever wrote it. Opening has ulpscope-hdf5 say what it holds, and maps it;
/// elements that lie in one piece are shown where they are, others are read by that program, which
/// is started for each tensor. No part of the library runs in this process. Thread-safe.
class Hdf5File {
 public:
  /// Attributes of these names are told of groups and datasets. Errors: NotFound, Io, CorruptData
  /// (`file: path: what`; also for a dataset that reaches beyond the end of the file), OutOfMemory,
  /// Unsupported (that program is missing), Cancelled (currentStop()). `rewriting`: of elements
  /// that lie in one piece.
  [[nodiscard]] static Result<std::shared_ptr<const Hdf5File>> open(
      const std::filesystem::path& path,
      std::span<const std::string_view> attributes = {},
      Rewriting rewriting = Rewriting::Refused);

  [[nodiscard]] const std::filesystem::path& path() const { return m_source.path; }
  [[nodiscard]] const Hdf5Contents& contents() const { return m_contents; }
  /// Null: there is none. `path` as TensorInfo::name.
  [[nodiscard]] const Hdf5Dataset* dataset(std::string_view path) const;
  [[nodiscard]] const Hdf5Group* group(std::string_view path) const;

  /// Elements of a dataset of contents(). Errors, naming file and dataset: those of open();
  /// Unsupported for what is no tensor (Hdf5Dataset::refused); CorruptData also where the file is
  /// not what it was when it was opened.
  [[nodiscard]] Result<Tensor> read(const Hdf5Dataset& dataset) const;
  /// The same of a dataset of texts of fixed length, each up to its first zero byte.
  [[nodiscard]] Result<std::vector<std::string>> texts(const Hdf5Dataset& dataset) const;

 private:
  Hdf5File(ByteSource source, FileIdentity identity, Hdf5Contents contents)
      : m_source(std::move(source)), m_identity(identity), m_contents(std::move(contents)) {
    for (const Hdf5Group& group : m_contents.groups) {
      m_groups.emplace(group.path, &group);
    }
    for (const Hdf5Dataset& dataset : m_contents.datasets) {
      m_datasets.emplace(dataset.info.name, &dataset);
    }
  }

  [[nodiscard]] static Result<std::shared_ptr<const Hdf5File>> open(
      const std::filesystem::path& path,
      const InputFile& input,
      std::span<const std::string_view> attributes,
      Rewriting rewriting);
  [[nodiscard]] Result<ByteSource> readByReader(const TensorInfo& info, std::size_t bytes) const;
  [[nodiscard]] Result<Tensor> elementsOf(const Hdf5Dataset& dataset) const;
  [[nodiscard]] Result<std::vector<std::string>> textsOf(const Hdf5Dataset& dataset) const;

  ByteSource m_source;
  FileIdentity m_identity;
  Hdf5Contents m_contents;
  /// Point into the contents.
  std::unordered_map<std::string_view, const Hdf5Group*> m_groups;
  std::unordered_map<std::string_view, const Hdf5Dataset*> m_datasets;
};

}  // namespace ulp::tensors
