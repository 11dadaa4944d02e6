#pragma once

#include "widgets/code/code_words.h"

namespace helio {

/// Finds what has a colour in XML, line by line from the first: comments may reach over several. Names of elements are keywords. Knows no
/// grammar: what it takes for something else costs a colour, never a letter.
class XmlReader {
public:
    std::vector<CodePiece> read(const QString& line);

private:
    bool m_isInComment = false;
};

} // namespace helio
