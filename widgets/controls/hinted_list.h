#pragma once

#include <QListWidget>

namespace helio {

/// List that shows a hint while it is empty.
class HintedList : public QListWidget {
    Q_OBJECT

public:
    explicit HintedList(const QString& hint, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_hint;
};

} // namespace helio
