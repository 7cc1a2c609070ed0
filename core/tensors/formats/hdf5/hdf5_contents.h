#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/tensors/archive/byte_source.h"
#include "core/tensors/archive/tensor_archive.h"

/// What HDF5 itself says of a file. The program ulpscope-hdf5 finds it out and sends it, because
/// the library does not survive every damaged file; nothing here calls the library.
namespace ulp::tensors {

/// Whole numbers, or a text of fixed length; others are not told.
struct Hdf5Attribute {
  std::string name;
  std::variant<std::string, std::vector<std::int64_t>> value;
};
using Hdf5Attributes = std::vector<Hdf5Attribute>;

/// Null: there is no such attribute, or it is of another kind.
[[nodiscard]] const std::string* textIn(const Hdf5Attributes& attributes, std::string_view name);
[[nodiscard]] const std::vector<std::int64_t>* integersIn(const Hdf5Attributes& attributes,
                                                          std::string_view name);

/// A dataset as its file describes it: nothing is compared with the size of the file.
struct Hdf5Dataset {
  static constexpr std::uint64_t kInPieces = std::numeric_limits<std::uint64_t>::max();

  TensorInfo info;                   ///< named by its path without the first slash
  std::uint64_t offset = kInPieces;  ///< of elements that lie in one piece as in memory
  std::uint64_t textWidth = 0;       ///< bytes of an element of texts of fixed length; else 0
  bool isWidened = false;            ///< shownTensor() decodes what is read
  std::string refused{};             ///< why it is no tensor that is read; empty: it is
  Hdf5Attributes attributes{};       ///< those that were asked for
};

struct Hdf5Group {
  std::string path;  ///< without the first slash; empty: the root
  Hdf5Attributes attributes{};
};

/// A link to an object of another file, which is not followed.
struct Hdf5Link {
  std::string path;    ///< of the link, without the first slash
  std::string file;    ///< as it stands there
  std::string object;  ///< path within that file
};

/// What hard links lead to, groups in the order of the file.
struct Hdf5Contents {
  std::vector<Hdf5Group> groups;
  std::vector<Hdf5Dataset> datasets;
  std::vector<Hdf5Link> links;  ///< external ones
};

/// Type and shape in one text: "float32 [2, 3]".
[[nodiscard]] std::string kindOf(const TensorInfo& info);

/// The contents as bytes, for the way from one process to another.
[[nodiscard]] std::string encoded(const Hdf5Contents& contents);
/// Believes nothing: CorruptData where the bytes are no contents, Unsupported where another version
/// of Ulpscope wrote them.
[[nodiscard]] Result<Hdf5Contents> decodedContents(const ByteSource& source);

}  // namespace ulp::tensors
