"""Writes dumps of msprobe's probe of ATB models: msprobe_atb.py tests/fuzz/corpus."""
from folders import bundle

atb = "$Version=1.0\n$Object.Count=1\n$Object.Length={}\nformat=2\ndtype={}\ndims={}\n$Object.data=0,{}\n$End=1\n"
headings = ("Device and PID,Execution Count,Op Name,Op Type,Op Id,Input/Output,Index,Dtype,Format,Shape,"
            "Max,Min,Mean,Norm,Tensor Path\n")
table = (headings + "0_7,3,Layer/Mlp,L/M,0_1,output,0,float,nd,1x2,2,nan,-inf,N/A,"
         "/x/atb_dump_data/data/0_7/3/0_Layer/1_Mlp/after/outtensor0.bin\n"
         "0_7,3,Gone,Gone,9,input,0,bf16,nd,\"(2, 3)\",2,2,2,2,N/A\n")
data = "atb_dump_data/data/0_7/3/"
bundle("msprobe_atb/tensors.bundle", {
    data + "statistic.csv": table,
    data + "0_Layer/1_Mlp/after/outtensor0.bin": atb.format(4, 0, "1", 4).encode() + bytes(4),
    data + "0_Layer/before/intensor0.bin": "$Version=1.0\n$Object.Count=0\nformat=2\ndtype=0\ndims=1\n"
                                           "data=../1_Mlp/after/outtensor0.bin\n$End=1\n"})
bundle("msprobe_atb/statistics.bundle", {data + "statistic.csv": table, "atb_dump_data/data/1_8/3/statistic.csv": headings})
bundle("msprobe_atb/outside.bundle", {
    data + "statistic.csv": table.replace("Layer/Mlp", "Layer").replace("0_7,3,Gone", "0_7,3"),
    data + "0_Layer/after/outtensor0.bin": atb.format(2**63, 40, f"{2**62},4", 1).encode(),
    data + "0_Layer/after/outtensor1.bin": "$Version=1.0\ndtype=0\ndims=1\ndata=../../../../../../etc/passwd\n$End=1\n"})
