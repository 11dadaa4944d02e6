#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QTimer;

namespace helio {

/// The bar at the bottom of the window of a fleet: named values at the left, a remark at the right.
/// Threads: UI thread.
class FleetStatus : public QWidget {
    Q_OBJECT

public:
    explicit FleetStatus(QWidget* parent = nullptr);

    /// Sets a value by its name; an empty value hides it. Values stand in the order in which they were set first.
    void setValue(const QString& name, const QString& value);
    void say(const QString& text); ///< Shows a remark for a few seconds.
    void setState(const QString& text); ///< Sets what is shown at the right while there is no remark, e.g. work in progress.
    QString remark() const;

private:
    void paintEvent(QPaintEvent* event) override;

    QHBoxLayout* m_values;
    QLabel* m_remark;
    QString m_state;
    QTimer* m_quiet; ///< Runs while a remark is shown.
};

} // namespace helio
