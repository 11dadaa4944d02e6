#include "widgets/controls/value_label.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QLabel>
#include <QTextDocumentFragment>
#include <QVariant>

namespace helio {

namespace {

constexpr const char* IsValue = "isNamedValue"; ///< Property of labels that setValueName() named.
constexpr const char* IsHidden = "isHiddenFromScreenReaders"; ///< Property of widgets that hideFromScreenReaders() hid.

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
        if (value.isEmpty() || label.accessibleName().isEmpty())
            return value.isEmpty() ? label.accessibleName() : value;
        return QLabel::tr("%1: %2").arg(label.accessibleName(), value);
    }
};

class HiddenAccessible : public QAccessibleWidget {
public:
    explicit HiddenAccessible(QWidget* widget)
        : QAccessibleWidget(widget, QAccessible::StaticText)
    {
    }

    QString text(QAccessible::Text kind) const override
    {
        const auto* label = qobject_cast<const QLabel*>(widget());
        return label && kind == QAccessible::Name ? label->text() : QAccessibleWidget::text(kind);
    }
    QAccessible::State state() const override
    {
        QAccessible::State state = QAccessibleWidget::state();
        state.invisible = true;
        return state;
    }
};

QAccessibleInterface* makeValueLabelAccessible(const QString&, QObject* object)
{
    auto* label = qobject_cast<QLabel*>(object);
    return label && label->property(IsValue).toBool() ? new ValueLabelAccessible(label) : nullptr;
}

QAccessibleInterface* makeHiddenAccessible(const QString&, QObject* object)
{
    auto* widget = qobject_cast<QWidget*>(object);
    return widget && widget->property(IsHidden).toBool() ? new HiddenAccessible(widget) : nullptr;
}

} // namespace

void setValueName(QLabel& value, const QString& name)
{
    static const bool isInstalled = (QAccessible::installFactory(makeValueLabelAccessible), true);
    (void)isInstalled;
    value.setProperty(IsValue, true);
    value.setAccessibleName(name);
}

void hideFromScreenReaders(QWidget& widget)
{
    static const bool isInstalled = (QAccessible::installFactory(makeHiddenAccessible), true);
    (void)isInstalled;
    widget.setProperty(IsHidden, true);
}

} // namespace helio
