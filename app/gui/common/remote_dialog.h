#pragma once

#include <QDialog>

class QComboBox;
class QLabel;
class QPushButton;

namespace helio {

/// Dialog for the address of a trace on another machine, with the addresses that were opened before.
class RemoteDialog : public QDialog {
    Q_OBJECT

public:
    /// `known`: addresses to offer, the last one first.
    explicit RemoteDialog(const QStringList& known, QWidget* parent = nullptr);

    QString address() const;

    /// Shows the dialog over the window. Returns the address; empty if the user cancelled.
    static QString ask(const QStringList& known, QWidget& window);

private:
    void check();

    QComboBox* m_address;
    QLabel* m_problem; ///< Says what is wrong with the address; empty if nothing is.
    QPushButton* m_open;
};

} // namespace helio
