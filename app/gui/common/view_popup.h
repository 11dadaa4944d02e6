#pragma once

#include <QFrame>

namespace helio {

/// A list that opens below a button of the window's header and closes at Esc or a click elsewhere.
class ViewPopup : public QFrame {
    Q_OBJECT

public:
    static constexpr int Width = 380; ///< In pixels.

    /// Ownership: `view` becomes a child.
    ViewPopup(QWidget* view, QWidget* parent);

    /// Opens below `anchor`, right-aligned with it and within its window; if the anchor is hidden, below the top right corner of `parent`.
    void open(const QWidget* anchor);

private:
    QWidget* m_view;
};

} // namespace helio
