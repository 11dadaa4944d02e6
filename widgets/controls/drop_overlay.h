#pragma once

#include <QWidget>

namespace helio {

/// A frame over a window while files are dragged across it; says what dropping them does. Takes no input; as large as its parent.
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
