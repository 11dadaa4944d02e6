#pragma once

#include <QStringList>
#include <QWidget>

#include <vector>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace helio {

/// A page in place of content: one line that says what is missing, one line that says what to do, a button, and a list to choose from
/// (recent files). No picture.
class EmptyPage : public QWidget {
    Q_OBJECT

public:
    explicit EmptyPage(QWidget* parent = nullptr);

    void setInDock(); ///< Uses a dock's background and small distances, because docks are low.
    void setText(const QString& what, const QString& how = {});
    void setButton(const QString& text); ///< Hides the button if empty.
    void setFurtherButtons(const QStringList& texts); ///< Buttons beside the main one, for alternatives.
    struct Choice {
        QString name;
        QString path; ///< Path; several paths are separated by line ends.
        QString place{}; ///< Folder shown beside the name; if empty, taken from `path`.
    };
    void setChoices(const QString& heading, const std::vector<Choice>& choices); ///< Hides the list if empty.

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
