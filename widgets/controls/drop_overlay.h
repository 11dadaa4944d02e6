#pragma once

#include <QWidget>

namespace helio {

/// Overlay that frames a window while files are dragged over it, with a text that says what a drop does. It is as large as its parent and
/// receives no input.
class DropOverlay : public QWidget {
    Q_OBJECT

public:
    explicit DropOverlay(QWidget* parent);

    void show(const QString& text);

private:
    void paintEvent(QPaintEvent* event) override;

    QString m_text;
};

} // namespace helio
