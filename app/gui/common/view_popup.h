#pragma once

#include <QFrame>

namespace helio {

/// Popup with a view that opens below a button of the window's header. Esc, or a click outside, closes it.
class ViewPopup : public QFrame {
    Q_OBJECT

public:
    static constexpr int Width = 380; ///< Width of the popup in pixels.

    /// Creates a popup that shows `view`.
    /// Ownership: `view` becomes a child of the popup.
    ViewPopup(QWidget* view, QWidget* parent);

    /// Opens the popup below `anchor`, right-aligned with it and within its window; if `anchor` is hidden, below the top right corner of
    /// the parent widget.
    void open(const QWidget* anchor);

private:
    QWidget* m_view;
};

} // namespace helio
