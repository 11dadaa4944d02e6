#pragma once

#include "widgets/controls/palette_model.h"

#include <QStyledItemDelegate>

namespace helio {

/// Delegate for a line of the command palette: icon, name with the matched characters in bold, group, and shortcut in a key cap.
class PaletteDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    PaletteDelegate(const PaletteModel& model, QObject* parent)
        : QStyledItemDelegate(parent)
        , m_model(model)
    {
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const PaletteModel& m_model;
};

/// Paints a key cap with its text, right-aligned at `right`. Returns the left edge of the key cap.
int paintKeyCap(QPainter& painter, int right, QRect line, const QString& keys);

} // namespace helio
