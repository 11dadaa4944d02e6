#include "widgets/controls/value_label.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QLabel>
#include <QTextDocumentFragment>
#include <QVariant>

namespace helio {

namespace {

constexpr const char* IsValue = "isNamedValue"; ///< Property of labels that setValueName() named.

class ValueLabelAccessible : public QAccessibleWidget {
public:
    explicit ValueLabelAccessible(QLabel* label)
        : QAccessibleWidget(label, QAccessible::StaticText)
    {
    }

    QString text(QAccessible::Text kind) const override
    {
        if (kind != QAccessible::Name)
            return QAccessibleWidget::text(kind);
        const auto& label = *static_cast<const QLabel*>(widget());
        const bool isRich = label.textFormat() != Qt::PlainText && Qt::mightBeRichText(label.text());
        const QString value = isRich ? QTextDocumentFragment::fromHtml(label.text()).toPlainText() : label.text();
        return value.isEmpty() ? label.accessibleName() : QLabel::tr("%1: %2").arg(label.accessibleName(), value);
    }
};

QAccessibleInterface* makeValueLabelAccessible(const QString&, QObject* object)
{
    auto* label = qobject_cast<QLabel*>(object);
    return label && label->property(IsValue).toBool() ? new ValueLabelAccessible(label) : nullptr;
}

} // namespace

void setValueName(QLabel& value, const QString& name)
{
    static const bool isInstalled = (QAccessible::installFactory(makeValueLabelAccessible), true);
    (void)isInstalled;
    value.setProperty(IsValue, true);
    value.setAccessibleName(name);
}

} // namespace helio
