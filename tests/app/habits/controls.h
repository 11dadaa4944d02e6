#pragma once

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QTabBar>

namespace helio::test {

/// True if the widget is a part that Qt makes of another control.
inline bool isPart(const QWidget& widget)
{
    const QWidget* parent = widget.parentWidget();
    return widget.objectName().startsWith("qt_") || qobject_cast<const QHeaderView*>(&widget)
        || widget.inherits("QComboBoxPrivateContainer") || widget.inherits("QComboBoxListView")
        || (parent
            && (qobject_cast<const QComboBox*>(parent) || (qobject_cast<const QTabBar*>(parent) && widget.objectName().startsWith("Scroll"))
                || qobject_cast<const QAbstractSpinBox*>(parent) || qobject_cast<const QLineEdit*>(parent)
                || parent->objectName().startsWith("qt_scrollarea")));
}

/// Returns class and place in the tree of a widget, e.g. "QToolButton in helio::PanelHeader in helio::TimePanel".
inline QString widgetPath(const QWidget& widget)
{
    QStringList names;
    for (const QWidget* it = &widget; it && names.size() < 5; it = it->parentWidget())
        names << it->metaObject()->className() + (it->objectName().isEmpty() ? QString() : "#" + it->objectName());
    return names.join(" in ");
}

} // namespace helio::test
