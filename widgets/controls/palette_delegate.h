#pragma once

#include "widgets/controls/palette_model.h"

#include <QStyledItemDelegate>

namespace helio {

/// Paints a line of the command palette: icon, name with the matched letters in bold, group, shortcut in a key cap.
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

/// Paints a key cap with its text, its right edge at `right`. Returns its left edge.
int paintKeyCap(QPainter& painter, int right, QRect line, const QString& keys);

} // namespace helio
