#pragma once

#include <QAbstractButton>

#include <string>

namespace helio {

/// Button for the traces with findings of one kind: swatch, name, number of traces, and a bar with their share.
/// Threads: UI thread.
class FinderButton : public QAbstractButton {
    Q_OBJECT

public:
    explicit FinderButton(QWidget* parent = nullptr);

    /// Sets the contents of the button. `color`: as for findingColor(). `traces`: number of traces; `most`: number for a full bar.
    void setFinder(const QString& title, const std::string& color, std::size_t traces, std::size_t most);

    QSize sizeHint() const override { return {182, 26}; }
    QSize minimumSizeHint() const override { return {100, 26}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    std::string m_color;
    std::size_t m_traces = 0;
    std::size_t m_most = 1;
};

} // namespace helio
