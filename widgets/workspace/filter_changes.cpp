#include "widgets/workspace/filter_changes.h"

#include "widgets/workspace/view_context.h"

#include <QLineEdit>
#include <QPointer>

#include <memory>
#include <utility>

namespace helio {

void recordFilterChanges(QLineEdit& field, ViewContext& context, const QString& what)
{
    static int fields = 0;
    const QString mergeKey = QStringLiteral("filter/%1/%2").arg(what).arg(fields++); // Two docks may filter lines of the same kind.
    const auto shown = std::make_shared<QString>(field.text());
    QObject::connect(&field, &QLineEdit::textChanged, &context,
                     [&context, what, mergeKey, shown, field = QPointer(&field)](const QString& text) {
                         const QString before = std::exchange(*shown, text);
                         if (before == text)
                             return;
                         const auto set = [field](const QString& to) {
                             return [field, to] {
                                 if (field)
                                     field->setText(to);
                             };
                         };
                         context.record({.text = text.trimmed().isEmpty()
                                             ? QObject::tr("Clear filter of %1").arg(what)
                                             : QObject::tr("Filter %1 by \u201c%2\u201d").arg(what, text.trimmed().left(40)),
                                         .undo = set(before),
                                         .redo = set(text),
                                         .mergeKey = mergeKey,
                                         .before = before,
                                         .after = text});
                     });
    QObject::connect(&field, &QLineEdit::editingFinished, &context, [&context] { context.changes().endMerging(); });
}

} // namespace helio
