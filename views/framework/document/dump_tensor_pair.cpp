#include "views/framework/document/dump_tensor_pair.h"

#include <utility>

#include <QtCore/QCoreApplication>

#include "core/base/shape.h"
#include "core/comparing/verdict/compared_dumps.h"
#include "views/framework/widgets/message.h"
#include "views/framework/words/site_text.h"

namespace ulp::views {
namespace {

using Kind = TensorPairProblem::Kind;

struct DumpTensorPairWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::DumpTensorPair)
};

QString pathText(const std::filesystem::path& path) {
  return QString::fromStdString(path.string());
}

TensorPairProblem notFound(const Site& shown, const report::DumpOrigin& origin) {
  return {Kind::NotCaptured,
          DumpTensorPairWords::tr("The dumps do not hold %1 any more")
              .arg(QString::fromStdString(shown.name)),
          DumpTensorPairWords::tr(
              "It was compared from %1 and %2, which were changed since. Compare them anew.")
              .arg(pathText(origin.baseline.path), pathText(origin.candidate.path))};
}

/// What stands in place of the elements is shown elsewhere.
TensorPairProblem noElements(const analysis::ComparedTensor& tensor, const Site& shown) {
  const QString name = QString::fromStdString(shown.name);
  const bool hasBaseline = tensor.baseline().hasElements;
  const bool hasCandidate = tensor.candidate().hasElements;
  const QString hint = DumpTensorPairWords::tr(
      "What was recorded of it stands in Details. To see elements, record tensors "
      "(msprobe: task “tensor”).");
  if (!hasBaseline && !hasCandidate) {
    return {Kind::NoTensors,
            DumpTensorPairWords::tr("Of %1 only statistics or checksums were recorded").arg(name),
            hint};
  }
  return {Kind::NoTensors,
          (hasBaseline ? DumpTensorPairWords::tr("The candidate holds no elements of %1")
                       : DumpTensorPairWords::tr("The baseline holds no elements of %1"))
              .arg(name),
          hint};
}

TensorPairProblem unreadable(const Error& error, const analysis::ComparedTensor& tensor) {
  const bool isOtherShape = squeezed(tensor.baseline().shape) != squeezed(tensor.candidate().shape);
  if (error.code() == ErrorCode::InvalidArgument && isOtherShape) {
    return {Kind::NotComparable,
            DumpTensorPairWords::tr("The two tensors differ in shape"),
            DumpTensorPairWords::tr(
                "The baseline has %1, the candidate %2, so that elements cannot be paired.")
                .arg(shapeText(tensor.baseline().shape), shapeText(tensor.candidate().shape))};
  }
  return {Kind::Unreadable, DumpTensorPairWords::tr("The tensor cannot be read"), errorText(error)};
}

}  // namespace

TensorPairProblem dumpsProblem(const Error& error, const report::DumpOrigin& origin) {
  const QString where = DumpTensorPairWords::tr("The comparison was made from %1 and %2.")
                            .arg(pathText(origin.baseline.path), pathText(origin.candidate.path));
  const QString remedy = DumpTensorPairWords::tr(
      "Put them back there, or compare them where they are now: File › Compare dumps.");
  return {Kind::Unreadable,
          error.code() == ErrorCode::NotFound
              ? DumpTensorPairWords::tr("The dumps are not where they were")
              : DumpTensorPairWords::tr("The dumps cannot be read"),
          QStringLiteral("%1\n%2\n%3").arg(errorText(error), where, remedy)};
}

DumpTensorPair readDumpPair(const DumpPlace& place,
                            const Site& shown,
                            const std::stop_token& stop) {
  const report::DumpOrigin& origin = place.dumps->origin();
  Site own = shown;
  own.name = place.site;
  const auto found = place.dumps->find(place.run, own, stop);
  if (!found) {
    return {nullptr, dumpsProblem(found.error(), origin)};
  }
  if (!*found) {
    return {nullptr, notFound(shown, origin)};
  }
  const analysis::ComparedTensor& tensor = **found;
  if (!tensor.baseline().hasElements || !tensor.candidate().hasElements) {
    return {nullptr, noElements(tensor, shown)};
  }
  auto pair = analysis::readPair(tensor, shown);
  if (!pair) {
    return {nullptr, unreadable(pair.error(), tensor)};
  }
  if ((*pair)->count() == 0) {
    return {nullptr,
            {Kind::NotComparable,
             DumpTensorPairWords::tr("The tensor has no elements"),
             DumpTensorPairWords::tr("Its shape is %1.").arg(shapeText((*pair)->shape()))}};
  }
  return {*pair, {}};
}

}  // namespace ulp::views
