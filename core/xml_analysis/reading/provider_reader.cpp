#include "core/xml_analysis/reading/program_head.h"
#include "core/xml_analysis/reading/program_reader.h"
#include "core/xml_analysis/reading/rule_reader.h"

namespace helio::xml {

void readHead(const Element& element, Program& program)
{
    program.id = element.text("id");
    program.version = integerOf(element, "version");
    program.place = element.place;
    const Element* head = element.child("head");
    if (!head)
        return;
    for (const Element& child : head->children)
        if (child.name == "traceType")
            program.traceTypes.emplace_back(child.text("id"));
        else if (child.name == "label")
            program.label = child.text("value");
        else if (child.name == "viewLabelPrefix")
            program.segmentLabel = child.text("value");
}

Program readStateProvider(const Element& element, std::vector<Problem>& problems)
{
    Program program;
    readHead(element, program);
    RuleReader rules(program, element, problems);
    for (const Element& child : element.children) {
        if (child.name != "eventHandler")
            continue;
        EventHandler handler;
        handler.place = child.place;
        handler.name = child.text("eventName");
        handler.events = rules.eventNames(child, rules.resolve(handler.name));
        for (const Element& change : child.children)
            handler.changes.push_back(rules.change(change));
        program.handlers.push_back(std::move(handler));
    }
    return program;
}

} // namespace helio::xml
