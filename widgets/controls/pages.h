#pragma once

#include <QStringList>
#include <QWidget>

#include <vector>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace helio {

/// A page in place of content: one line what, one line how, a button, and a list to choose from (recent files). Calm, no picture.
class EmptyPage : public QWidget {
    Q_OBJECT

public:
    explicit EmptyPage(QWidget* parent = nullptr);

    void setInDock(); ///< On a dock's ground, and close together: docks are low.
    void setText(const QString& what, const QString& how = {});
    void setButton(const QString& text); ///< Empty: none.
    void setFurtherButtons(const QStringList& texts); ///< Beside it: other ways on.
    struct Choice {
        QString name;
        QString path; ///< Of several, one a line.
        QString place{}; ///< The folder that it is in; empty: as the path says.
    };
    void setChoices(const QString& heading, const std::vector<Choice>& choices); ///< Empty: none.

signals:
    void buttonClicked();
    void furtherClicked(const QString& text);
    void chosen(const QString& path);

private:
    void updateLook();

    const char* m_ground = "surface.timeline";

    QLabel* m_what;
    QLabel* m_how;
    QPushButton* m_button;
    QHBoxLayout* m_buttons;
    QLabel* m_heading;
    QWidget* m_list;
    QVBoxLayout* m_rows;
};

} // namespace helio
