#include "views/plugins/study/form/key_names.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <QtCore/QCoreApplication>

#include "views/framework/words/utf8_text.h"

namespace ulp::views {
namespace {

struct KeyNamesWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::FormField)
};

QString translated(const char* english) {
  return QCoreApplication::translate("ulp::views::StudyKeys", english);
}

/// What keyName() makes of the schema's keys, for the translators.
[[maybe_unused]] constexpr std::array kKeyNames{
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Path"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Weights"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Seed"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Architecture"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Source"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Sequence length"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Generate"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Generated"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Cache"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Cache dtype"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Micro batch size"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Sequences"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Field"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Chat template"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Tokenizer"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Documents"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Padding"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Unlabelled"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Micro batches"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Docs per step"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Noise floor"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Type"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Terms"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Epsilon low"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Epsilon high"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Logits scale"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Advantages"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Old log probabilities"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Old noise"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Learning rate"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Beta1"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Beta2"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Epsilon"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Weight decay"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Momentum"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Compute dtype"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Weights dtype"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Residual dtype"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "LM head dtype"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Logits dtype"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Loss dtype"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Gradient dtype"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Optimizer dtype"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Norm statistics dtype"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Norm output dtype"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Rotary table dtype"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Rotary dtype"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Attention scores dtype"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Softmax dtype"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Activation dtype"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Rounding"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Rounding seed"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Overflow"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Rules"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Cast"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Semantics"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Norm implementation"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Rotary implementation"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "MLP implementation"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Attention implementation"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Attention order"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Matmul float32 precision"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Matmul reduced precision reduction"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Matmul split k"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Matmul float16 accumulation"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Matmul library"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Matmul float8"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Matmul float8 kernel"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Matmul float8 gradient"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Matmul float8 power of two scales"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Matmul float8 fast accumulation"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Matmul float8 modules"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Attention reduced precision reduction"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Among"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Place"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Padding side"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Chunk length"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Gradient scale"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Threads"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Deterministic"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Level"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Tensors"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Backward"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Parameter gradients"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Kernels"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Include"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Exclude"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Factory"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Executable"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Trust code"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Autocast"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Prepare"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Compile"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Compile mode"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Compile backend"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Quantization"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Device map"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Ranks"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Parallel"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Reduce"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Launcher"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Device"),
    QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Output dir")};

/// The part of a key before its first dot, or the key.
std::string_view rootOf(const study::Key& key) {
  return key.path.substr(0, key.path.find('.'));
}

/// Roots of which the form has a section with one or two keys each, put together.
constexpr std::array<std::string_view, 5> kKernels{
    "semantics", "norm", "rotary", "mlp", "attention"};
constexpr std::array<std::string_view, 3> kMachine{"matmul", "gradient", "runtime"};

bool isNamedInFull(std::string_view root) {
  return root != "semantics" && root != "runtime" &&
         (std::ranges::find(kKernels, root) != kKernels.end() ||
          std::ranges::find(kMachine, root) != kMachine.end());
}

struct SectionKind {
  const char* title;
  std::vector<std::string_view> roots;
};

std::vector<SectionKind> sectionKinds() {
  return {
      {QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Model"), {"model"}},
      {QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Engine"), {"engine", "python"}},
      {QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Input"), {"input"}},
      {QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Step"), {"schedule", "noise_floor"}},
      {QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Loss"), {"loss"}},
      {QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Optimizer"), {"optimizer"}},
      {QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Precision of all variants"), {"precision"}},
      {QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Kernels of all variants"),
       {kKernels.begin(), kKernels.end()}},
      {QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Batch of all variants"), {"batch"}},
      {QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Arithmetic of all variants"),
       {kMachine.begin(), kMachine.end()}},
      {QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Capture"), {"capture"}},
      {QT_TRANSLATE_NOOP("ulp::views::StudyKeys", "Device and output"), {"device", "output_dir"}},
  };
}

/// Breaks a line at blanks, which tool tips do not.
QString wrapped(const QString& line) {
  constexpr qsizetype kWidest = 80;
  QString text;
  qsizetype width = 0;
  for (const QString& word : line.split(QLatin1Char(' '))) {
    const bool breaks = width > 0 && width + word.size() > kWidest;
    text += text.isEmpty() ? QString() : QString(breaks ? u'\n' : u' ');
    text += word;
    width = (breaks ? 0 : width) + word.size() + 1;
  }
  return text;
}

}  // namespace

std::vector<KeySection> keySections() {
  std::vector<KeySection> sections;
  for (const SectionKind& kind : sectionKinds()) {
    KeySection section{.title = translated(kind.title)};
    for (const study::Key& key : study::schemaKeys()) {
      if (std::ranges::find(kind.roots, rootOf(key)) != kind.roots.end()) {
        section.keys.push_back(&key);
      }
    }
    if (std::ranges::any_of(section.keys, [](const study::Key* key) {
          return key->scope == study::KeyScope::Run;
        })) {
      section.hint = translated(QT_TRANSLATE_NOOP(
          "ulp::views::StudyKeys", "What a variant does not override; see Variants."));
    }
    sections.push_back(std::move(section));
  }
  return sections;
}

QString keyName(const study::Key& key) {
  const QString path = utf8Text(key.path);
  const bool isInFull = isNamedInFull(rootOf(key));
  QString name = isInFull ? path : path.mid(path.indexOf(QLatin1Char('.')) + 1);
  name.replace(QLatin1Char('_'), QLatin1Char(' ')).replace(QLatin1Char('.'), QLatin1Char(' '));
  if (!name.isEmpty()) {
    name[0] = name[0].toUpper();
  }
  name.replace(QLatin1String("Lm "), QLatin1String("LM "));
  name.replace(QLatin1String("Mlp "), QLatin1String("MLP "));
  return translated(name.toUtf8().constData());
}

QStringList choiceTexts(const study::Key& key) {
  QStringList choices;
  for (const std::string_view choice : key.choices) {
    choices << utf8Text(choice);
  }
  return choices;
}

QString keyToolTip(const study::Key& key) {
  QStringList lines{utf8Text(key.path), utf8Text(key.help)};
  QString type = KeyNamesWords::tr("Type: %1").arg(utf8Text(study::toString(key.type)));
  if (key.minimum && key.maximum) {
    type += KeyNamesWords::tr(", from %1 to %2")
                .arg(QString::number(*key.minimum, 'f', 0), QString::number(*key.maximum, 'f', 0));
  }
  lines << type;
  if (!key.choices.empty()) {
    lines << KeyNamesWords::tr("Values: %1").arg(choiceTexts(key).join(QStringLiteral(", ")));
  }
  if (!key.defaultText.empty()) {
    lines << KeyNamesWords::tr("Default: %1").arg(utf8Text(key.defaultText));
  }
  std::ranges::transform(lines, lines.begin(), &wrapped);
  return lines.join(QLatin1Char('\n'));
}

}  // namespace ulp::views
